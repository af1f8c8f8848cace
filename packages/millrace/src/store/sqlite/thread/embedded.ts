// The build writes the code of thread.ts and everything that it imports into the published copy of this module
// (scripts/building/threads.js). In a clone the thread is started from its file.

export const THREAD_CODE: string | undefined = undefined;
