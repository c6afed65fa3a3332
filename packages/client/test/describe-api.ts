import { openWorld } from './open-world.js'

/** A description of an API in OpenAPI 3.1, as far as its routes are read from it. */
export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> }
}

/** One of its operations. */
export interface ApiOperation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** The shape of a body or an answer. */
export interface ApiSchema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
}

type Content = Readonly<Record<string, { readonly schema: ApiSchema }>>

/** The description that the server of this workspace gives of itself. */
export async function describeApi(): Promise<ApiDescription> {
  const world = await openWorld()
  try {
    const response = await fetch(`${world.url}/openapi.json`)
    return (await response.json()) as ApiDescription
  } finally {
    await world.close()
  }
}
