import { compare, type Side } from '../comparison.js'
import { beginConversations, type Conversation } from '../conversations.js'
import { analyze } from '../databases.js'
import type { JsonClient } from '../json-client.js'
import { byTurns, timed, type Way } from '../measurements/by-turns.js'
import { createOpenAiChat, type OpenAiChat, type Question } from '../measurements/openai-chat.js'
import { TALKING_MODEL } from '../processes/speech.js'
import {
  API_KEY,
  createAgent,
  loamSettings,
  localSettings,
  makeLoamDatabase,
  startApi,
  type World,
} from '../world.js'
import type { Benchmark } from './benchmark.js'

/** As of a quick model: the first word after 20 ms, the last one after 65. */
const PACE = { firstMs: 20, stepMs: 5, words: 10 }
const QUESTIONS = 100
const IN_A_ROW = 10

/**
 * The drop-in chat, against the same model asked directly: what streaming adds to the prompt and the model's own first word, and
 * what a whole turn, with its prompt, its messages and its run stored, adds to the model's answer.
 */
export const chat: Benchmark = async ({ world, sizes, onProgress }) => {
  const { rounds, questions: pieces } = sizes
  await world.setPace(PACE)
  onProgress('Chat: beginning conversations')
  const local = await openChat(world, pieces, (url) => ({
    ...localSettings(url),
    LOAM_MODEL_BASE_URL: world.modelUrl,
  }))
  const remote = await openChat(world, pieces, (url) => loamSettings(world, url))
  const databases = [local.databaseUrl, remote.databaseUrl]
  const direct = createOpenAiChat({
    baseUrl: world.modelUrl,
    apiKey: 'none',
    model: TALKING_MODEL,
  })

  const first = sidesOf(
    byTurns(
      [
        { name: 'the drop-in chat', once: (count) => local.openai.firstText(local.turn(count)) },
        {
          name: 'prompt, then the model',
          async once(count) {
            const turn = local.turn(count)
            let prompt = ''
            const took = await timed(async () => {
              prompt = await local.prompt(turn, `by-hand-${count}`)
            })
            const messages = [{ role: 'system' as const, content: prompt }, ...turn.messages]
            return took + (await direct.firstText({ messages }))
          },
        },
        {
          name: 'the model alone',
          once: (count) => direct.firstText({ messages: local.turn(count).messages }),
        },
        {
          name: 'chat, embeddings of a server',
          once: (count) => remote.openai.firstText(remote.turn(count)),
        },
      ],
      { pieces, inARow: IN_A_ROW },
    ),
  )
  const whole = sidesOf(
    byTurns(
      [
        answering('the drop-in chat', local.openai, local.turn),
        answering('the model alone', direct, (count) => ({
          messages: local.turn(count).messages,
        })),
        answering('chat, embeddings of a server', remote.openai, remote.turn),
      ],
      { pieces, inARow: IN_A_ROW },
    ),
  )
  const options = {
    unit: 'ms',
    better: 'lower',
    by: 'difference',
    rounds,
    afterWarmUp: () => analyze(databases),
    onProgress,
  } as const
  return [
    await compare({
      ...options,
      title: 'From a question to the first word of its streamed answer, p50',
      target: 5,
      ...first,
    }),
    await compare({
      ...options,
      title: 'From a question to its whole answer, p50',
      target: 25,
      ...whole,
    }),
  ]
}

/** The first side is Loam's, the second the other; what follows is shown beside them. */
function sidesOf([ours, theirs, ...besides]: readonly Side[]) {
  return { ours: ours ? [ours] : [], theirs: theirs ? [theirs] : [], besides }
}

function answering(name: string, openai: OpenAiChat, turn: (count: number) => Question): Way {
  return { name, once: (count) => timed(() => openai.answer(turn(count))) }
}

/** An installation whose agent several users talk with. */
interface ChatInstallation {
  readonly databaseUrl: string
  readonly openai: OpenAiChat
  /** What is said at a count: of one user after the other. */
  readonly turn: (count: number) => Turn
  /** The prompt of a turn, from the API. */
  prompt(turn: Turn, turnId: string): Promise<string>
}

interface Turn extends Question {
  readonly userId: string
  readonly session: string
}

async function openChat(
  world: World,
  atMost: number,
  settings: (databaseUrl: string) => Readonly<Record<string, string>>,
): Promise<ChatInstallation> {
  const { corpus } = world
  const { url: databaseUrl } = await makeLoamDatabase(world)
  const client = await startApi(world, {
    ...settings(databaseUrl),
    LOAM_CHAT_MODEL: TALKING_MODEL,
  })
  const agent = await createAgent(client, 'chat')
  const conversations = await beginConversations(client, { agent, corpus, atMost })
  const said = conversations.flatMap(({ messages }) => messages).length
  const questions = corpus.questions(QUESTIONS, said)
  return {
    databaseUrl,
    openai: createOpenAiChat({
      baseUrl: `${client.url}/v1`,
      apiKey: API_KEY,
      model: `loam:${agent}`,
    }),
    turn: (count) => turnOf(conversations, questions, count),
    prompt: (turn, turnId) => promptOf(client, agent, turn, turnId),
  }
}

function turnOf(
  conversations: readonly Conversation[],
  questions: readonly string[],
  count: number,
): Turn {
  const conversation = conversations[count % conversations.length]
  const question = questions[count % questions.length]
  if (conversation === undefined || question === undefined) throw new Error('Nothing to say.')
  const { userId, session, messages } = conversation
  // Numbered, or it would be taken for one that was sent before and not answered.
  const content = `${question} (${count})`
  return { userId, session, messages: [...messages, { role: 'user', content }] }
}

async function promptOf(
  client: JsonClient,
  agent: string,
  { userId, session, messages }: Turn,
  turnId: string,
): Promise<string> {
  const message = messages.at(-1)?.content
  const body = { userId, session, turnId, message }
  const { prompt } = await client.post<{ prompt: string }>(`/v1/agents/${agent}/context`, body)
  return prompt
}
