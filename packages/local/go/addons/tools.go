//go:build tools

// Package addons pins the programs that are built as they are, so that `go mod tidy` keeps them.
package addons

import (
	_ "github.com/rancher/local-path-provisioner"
	_ "sigs.k8s.io/kwok/cmd/kwok"
)
