module github.com/latchkey/latchkey/bench/figures/felt/listener-go

go 1.24

require github.com/latchkey/latchkey/packages/resource-server-go v0.0.0

replace github.com/latchkey/latchkey/packages/resource-server-go => ../../../../packages/resource-server-go
