import type { InputIssue } from '@loam/core'

/** The API refused a request or failed at it. `code` is the API's own. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly issues: readonly InputIssue[]

  constructor(input: {
    readonly message: string
    readonly status: number
    readonly code: string
    readonly issues?: readonly InputIssue[] | undefined
  }) {
    super(input.message)
    this.status = input.status
    this.code = input.code
    this.issues = input.issues ?? []
  }
}
