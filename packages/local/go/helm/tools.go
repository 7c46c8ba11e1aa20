//go:build tools

// Package helm pins Helm, which is built as it is.
package helm

import _ "helm.sh/helm/v4/cmd/helm"
