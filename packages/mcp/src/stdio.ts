export { serveMcpStdio, type ServeMcpStdioOptions } from './serve-mcp-stdio.js'
