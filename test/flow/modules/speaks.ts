// An isolated processor that prints in every way.

console.log("loaded");

export default function speaks(): string {
  console.log("on %s output", "standard");
  console.group();
  console.debug({ indented: true });
  console.groupEnd();
  console.warn("a warning");
  console.error("an error\nin two lines");
  process.stderr.write("not by console\n");
  return "spoken";
}
