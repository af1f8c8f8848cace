// The scripts ask `millrace __complete` at every press of TAB, so they know each new command and flag of every workload.

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of millrace for bash. Load it: source <(millrace completion bash)
_millrace() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  [[ $current == "=" ]] && current=""
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" __complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _millrace millrace`,

  zsh: `#compdef millrace
# Completion of millrace for zsh. Load it: source <(millrace completion zsh)
_millrace() {
  local line files
  local -a values
  for line in "\${(@f)$("\${words[1]}" __complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ":files" ]]; then files=1
    elif [[ $line == *$'\\t'* ]]; then values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    elif [[ -n $line ]]; then values+=("\${line//:/\\\\:}")
    fi
  done
  (( \${#values} )) && _describe millrace values
  [[ -n $files ]] && _files
  return 0
}
if [[ "\${funcstack[1]}" == "_millrace" ]]; then _millrace "$@"; else compdef _millrace millrace; fi`,

  fish: `# Completion of millrace for fish. Load it: millrace completion fish | source
function __millrace_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc)
    for line in ($words[1] __complete fish $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c millrace -f -a "(__millrace_complete)"`,
};
