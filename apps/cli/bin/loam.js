#!/usr/bin/env node
// Checked in, since a package manager links the command before anything is built.
await import('../dist/main.js')
