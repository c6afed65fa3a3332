import type { operations } from './generated/api.js'
import type { routes } from './generated/routes.js'
import type { ServerSentEvent } from './server-sent-events.js'

/** How one request differs from the others of its client. */
export interface RequestOptions {
  /** Ends the request when it aborts; what was asked for may still have been done. */
  readonly signal?: AbortSignal | undefined
}

type Routes = typeof routes

/** Name of an operation of the API that has a method of its own. */
export type OperationName = Exclude<keyof Routes & keyof operations, 'createChatCompletion'>

/** What a method takes: the fields of path, query, headers and body side by side. */
export type InputOf<Name extends keyof operations> = Flat<
  PlaceOf<Name, 'path'> & PlaceOf<Name, 'query'> & HeadersOf<Name> & BodyOf<Name>
>

/** What a method answers with. */
export type AnswerOf<Name extends OperationName> = Routes[Name]['answer'] extends 'events'
  ? AsyncGenerator<ServerSentEvent>
  : Promise<Routes[Name]['answer'] extends 'bytes' ? Uint8Array : JsonAnswerOf<Name>>

/** A method for each operation of the API, by the operation's id. */
export type Methods = {
  [Name in OperationName]: Partial<InputOf<Name>> extends InputOf<Name>
    ? (input?: InputOf<Name>, options?: RequestOptions) => AnswerOf<Name>
    : (input: InputOf<Name>, options?: RequestOptions) => AnswerOf<Name>
}

type Nothing = unknown
type Flat<Type> = { [Key in keyof Type]: Type[Key] }

/** The fields of one place; `?: never` stands where there are none. */
type PlaceOf<Name extends keyof operations, Place extends 'path' | 'query' | 'header'> =
  NonNullable<operations[Name]['parameters'][Place]> extends infer Fields
    ? [Fields] extends [never]
      ? Nothing
      : Fields
    : Nothing

type HeadersOf<Name extends keyof operations> = {
  [Header in keyof PlaceOf<Name, 'header'> as CamelCase<Header & string>]: PlaceOf<
    Name,
    'header'
  >[Header]
}

type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Text>

type BodyOf<Name extends keyof operations> = operations[Name] extends {
  readonly requestBody: { readonly content: infer Content }
}
  ? FieldsOf<Content>
  : operations[Name] extends { readonly requestBody?: { readonly content: infer Content } }
    ? Partial<FieldsOf<Content>>
    : Nothing

type FieldsOf<Content> = Content extends { readonly 'multipart/form-data': infer Fields }
  ? Fields
  : Content extends { readonly 'application/json': infer Fields }
    ? // A body that is always empty is described as fields of any name that have no value.
      Fields extends Readonly<Record<string, never>>
      ? Nothing
      : Fields
    : Nothing

type JsonAnswerOf<Name extends OperationName> = operations[Name]['responses'] extends infer Answers
  ? { [Status in keyof Answers & (200 | 201 | 202)]: JsonOf<Answers[Status]> }[keyof Answers &
      (200 | 201 | 202)]
  : never

type JsonOf<Answer> = Answer extends {
  readonly content: { readonly 'application/json': infer Json }
}
  ? Json
  : never
