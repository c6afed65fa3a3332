import { jsonRpcRefusal } from '@loam/mcp'
import type { Problem } from './problem.js'

/** Whether a path belongs to the Model Context Protocol. */
export function isMcpPath(path: string): boolean {
  return path === '/mcp'
}

/** The same problem as clients of the Model Context Protocol know it. */
export function toMcpRefusal({ status, code, detail, requestId }: Problem) {
  return jsonRpcRefusal({ status, message: detail, data: { code, requestId } })
}
