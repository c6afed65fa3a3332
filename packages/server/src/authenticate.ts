import { UnauthenticatedError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import type { MiddlewareHandler } from 'hono'
import type { ApiEnvironment } from './api-environment.js'

/** Longest secret that is looked up. */
const MAX_SECRET_LENGTH = 512

/** Admits requests with `Authorization: Bearer <key>`; the key says which tenant they belong to. */
export function authenticate(runtime: Runtime): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    const secret = bearerSecret(context.req.header('Authorization'))
    if (secret === undefined) {
      throw new UnauthenticatedError({
        message: 'The request carries no key. Send "Authorization: Bearer <key>".',
      })
    }
    const key = await runtime.authenticate(secret)
    if (key === undefined) {
      throw new UnauthenticatedError({
        message:
          'The key is not known here. Check it, and that this is the server it was made for.',
      })
    }
    context.set('apiKey', key)
    await next()
  }
}

function bearerSecret(header: string | undefined): string | undefined {
  const secret = /^Bearer +([\x21-\x7E]+)$/i.exec(header?.trim() ?? '')?.[1]
  return secret === undefined || secret.length > MAX_SECRET_LENGTH ? undefined : secret
}
