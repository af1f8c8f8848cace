// An isolated processor that writes to both streams.

export default function speaks(): string {
  console.log("on standard output");
  console.error("on standard error");
  return "spoken";
}
