/**
 * Bytes that Millrace returns: a `Uint8Array` that `new Response()`, `new Blob()` and `writeFile()` accept. Since
 * TypeScript 5.7 that is `Uint8Array<ArrayBuffer>`, and before it `Uint8Array`.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;
