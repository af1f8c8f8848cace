import { open } from "../../contenders/open.ts";

const [, , dir] = process.argv as [string, string, string];
let told = false;
await open("millrace postgres", dir, {
  processors: 100,
  run() {
    if (!told) process.send?.("at work");
    told = true;
  },
});
