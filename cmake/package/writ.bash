# bash completion for writ
_writ() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options=''
  case $before in
    --config)
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
    --era)
      mapfile -t COMPREPLY < <(compgen -W 'auto 2025-11-25 2026-07-28' -- "$word")
      return
      ;;
    --status)
      mapfile -t COMPREPLY < <(compgen -W 'pending approved denied expired cancelled' -- "$word")
      return
      ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    options='serve check token explain approvals try-connector audit forget demo --help --version'
  else
    case ${COMP_WORDS[1]} in
      serve) options='--config --listen --after-restore --help' ;;
      check) options='--config --online --help' ;;
      token) options='--config --app --user --server --operator --ttl --help' ;;
      explain) options='--config --app --cid --writer --tool --arguments --json --help' ;;
      approvals)
        options='--url --config --app --token --api-key --json --status --run --cid --asked --limit --cursor --watch --reason --by --edit --help'
        [ "$COMP_CWORD" -ne 2 ] || options='list show approve deny --help'
        ;;
      try-connector) options='--config --app --agent --connector --url --header --era --tool --arguments --input --json --help' ;;
      audit)
        options='--config --app --url --head --help'
        [ "$COMP_CWORD" -ne 2 ] || options='export verify --help'
        ;;
      forget) options='--url --config --app --token --api-key --user --wait --json --help' ;;
      demo) options='--listen --play --help' ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
}
complete -o default -F _writ writ
