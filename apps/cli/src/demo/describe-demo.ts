import { formatItem } from '../commands/search.js'
import { describeImport } from '../commands/import.js'
import { counted, duration, oneLine, type Output } from '../output.js'
import type { DemoAnswer, DemoReport } from './run-demo.js'

const EPISODES_SHOWN = 3

/** Prints what a demo did, for people. */
export function describeDemo(report: DemoReport, openedMs: number, output: Output): void {
  const { say, paint } = output
  const heading = (text: string) => {
    say()
    say(paint.bold(text))
  }
  heading(`1. Stored: ${oneLine(report.file)}`)
  for (const line of describeImport(report.stored, false)) say(`   ${line}`)

  heading(`2. Remembered as ${counted(report.episodes.length, 'episode')}`)
  for (const episode of report.episodes.slice(0, EPISODES_SHOWN)) {
    const { session, firstSequence, lastSequence, method } = episode
    say(
      `   ${oneLine(session, 80)}, messages ${firstSequence} to ${lastSequence} ${paint.dim(`(summarised by ${method})`)}`,
    )
    say(`   ${oneLine(episode.abstract, 300)}`)
    say(paint.dim(`   topics: ${oneLine(episode.topics.slice(0, 10).join(', ')) || 'none'}`))
  }
  if (report.episodes.length > EPISODES_SHOWN) {
    say(paint.dim(`   and ${report.episodes.length - EPISODES_SHOWN} more`))
  }
  if (report.episodes.length === 0) say('   No episode: the conversation is too short for one.')

  heading('3. Asked')
  for (const answer of report.answers) describeAnswer(answer, output)

  heading('4. Time taken')
  const { store, episodes } = report.timingsMs
  say(`   opening an empty store ${duration(openedMs)}`)
  say(`   storing and indexing ${duration(store)} for ${counted(report.stored.stored, 'message')}`)
  say(`   making episodes ${duration(episodes)}`)
  say(
    `   answering ${report.answers.map(({ milliseconds }) => duration(milliseconds)).join(', ') || 'nothing'}`,
  )
  say()
  say(report.isComplete ? paint.green('All of it worked.') : paint.red('Not all of it worked.'))
}

function describeAnswer(
  { question, results, milliseconds, isRecalled }: DemoAnswer,
  output: Output,
): void {
  const { say, paint } = output
  say()
  say(`   ${paint.cyan(oneLine(question))} ${paint.dim(duration(milliseconds))}`)
  for (const [index, item] of results.entries()) {
    say(formatItem(item, index + 1, output).replaceAll(/^/gm, '   '))
  }
  if (!isRecalled) say(paint.red('      What should be recalled is not among these.'))
}
