import { defineCommand, UsageError } from "../arguments/command.ts";
import { SCRIPTS, SHELLS } from "../completion/scripts.ts";
import { say } from "../output/show.ts";

export const command = defineCommand({
  args: ["<bash|zsh|fish>"],
  flags: {},
  about:
    "Load the script in the start file of your shell:\n" +
    "  bash  echo 'source <(millrace completion bash)' >> ~/.bashrc\n" +
    "  zsh   echo 'source <(millrace completion zsh)' >> ~/.zshrc   (after compinit)\n" +
    "  fish  millrace completion fish > ~/.config/fish/completions/millrace.fish\n" +
    "It completes commands, flags and values, also those of your project's workloads.",
  examples: ["completion bash"],
  async run({ args: [shell = ""] }) {
    const known = SHELLS.find((each) => each === shell);
    if (known === undefined) throw new UsageError(`No completion for "${shell}". Allowed: ${SHELLS.join(", ")}.`);
    say(SCRIPTS[known]);
    return 0;
  },
});
