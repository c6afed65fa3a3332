/** How an operation of the API is requested and answered. */
export interface ApiRoute {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With a `{name}` for each parameter of the path. */
  readonly path: string
  /** Which fields of the input go into the query. */
  readonly query?: readonly string[]
  /** Which fields go into headers, by the name of the header. The others go into the body. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: 'json' | 'form'
  readonly answer: 'json' | 'bytes' | 'events'
}
