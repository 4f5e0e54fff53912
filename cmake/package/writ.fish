# fish completion for writ
complete -c writ -f -n __fish_use_subcommand -l version -d "release and commit"
complete -c writ -l help -d "what it takes"
complete -c writ -f -n __fish_use_subcommand -a serve -d "runs a node"
complete -c writ -n "__fish_seen_subcommand_from serve" -l config -r -F
complete -c writ -n "__fish_seen_subcommand_from serve" -l listen -x
complete -c writ -n "__fish_seen_subcommand_from serve" -l after-restore
complete -c writ -f -n __fish_use_subcommand -a check -d "checks the configuration"
complete -c writ -n "__fish_seen_subcommand_from check" -l config -r -F
complete -c writ -n "__fish_seen_subcommand_from check" -l online
complete -c writ -f -n __fish_use_subcommand -a token -d "prints a token"
complete -c writ -n "__fish_seen_subcommand_from token" -l config -r -F
complete -c writ -n "__fish_seen_subcommand_from token" -l app -x
complete -c writ -n "__fish_seen_subcommand_from token" -l user -x
complete -c writ -n "__fish_seen_subcommand_from token" -l server
complete -c writ -n "__fish_seen_subcommand_from token" -l operator
complete -c writ -n "__fish_seen_subcommand_from token" -l ttl -x
complete -c writ -f -n __fish_use_subcommand -a explain -d "what would become of a call"
complete -c writ -n "__fish_seen_subcommand_from explain" -l config -r -F
complete -c writ -n "__fish_seen_subcommand_from explain" -l app -x
complete -c writ -n "__fish_seen_subcommand_from explain" -l cid -x
complete -c writ -n "__fish_seen_subcommand_from explain" -l writer -x
complete -c writ -n "__fish_seen_subcommand_from explain" -l tool -x
complete -c writ -n "__fish_seen_subcommand_from explain" -l arguments -x
complete -c writ -n "__fish_seen_subcommand_from explain" -l json
complete -c writ -f -n __fish_use_subcommand -a approvals -d "the backend's approvals"
complete -c writ -f -n "__fish_seen_subcommand_from approvals" -a "list show approve deny"
complete -c writ -n "__fish_seen_subcommand_from approvals" -l url -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l config -r -F
complete -c writ -n "__fish_seen_subcommand_from approvals" -l app -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l token -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l api-key -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l json
complete -c writ -n "__fish_seen_subcommand_from approvals" -l status -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l run -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l cid -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l asked -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l limit -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l cursor -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l watch
complete -c writ -n "__fish_seen_subcommand_from approvals" -l reason -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l by -x
complete -c writ -n "__fish_seen_subcommand_from approvals" -l edit -x
complete -c writ -f -n __fish_use_subcommand -a try-connector -d "lists a connector's tools, calls them"
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l config -r -F
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l app -x
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l agent -x
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l connector -x
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l url -x
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l header -x
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l era -x
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l tool -x
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l arguments -x
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l input -x
complete -c writ -n "__fish_seen_subcommand_from try-connector" -l json
complete -c writ -f -n __fish_use_subcommand -a audit -d "the decision log"
complete -c writ -f -n "__fish_seen_subcommand_from audit" -a "export verify"
complete -c writ -n "__fish_seen_subcommand_from audit" -l config -r -F
complete -c writ -n "__fish_seen_subcommand_from audit" -l app -x
complete -c writ -n "__fish_seen_subcommand_from audit" -l url -x
complete -c writ -n "__fish_seen_subcommand_from audit" -l head -x
complete -c writ -f -n __fish_use_subcommand -a forget -d "removes one user's data"
complete -c writ -n "__fish_seen_subcommand_from forget" -l url -x
complete -c writ -n "__fish_seen_subcommand_from forget" -l config -r -F
complete -c writ -n "__fish_seen_subcommand_from forget" -l app -x
complete -c writ -n "__fish_seen_subcommand_from forget" -l token -x
complete -c writ -n "__fish_seen_subcommand_from forget" -l api-key -x
complete -c writ -n "__fish_seen_subcommand_from forget" -l user -x
complete -c writ -n "__fish_seen_subcommand_from forget" -l wait -x
complete -c writ -n "__fish_seen_subcommand_from forget" -l json
complete -c writ -f -n __fish_use_subcommand -a demo -d "everything on one machine"
complete -c writ -n "__fish_seen_subcommand_from demo" -l listen -x
complete -c writ -n "__fish_seen_subcommand_from demo" -l play
