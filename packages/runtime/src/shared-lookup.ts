/**
 * Puts a question once for all who ask it while the same one is under way. Nobody gets an answer to a question that was put
 * before they asked: what was revoked or changed by then is seen.
 */
export function createSharedLookup<Answer>(
  ask: (question: string) => Promise<Answer>,
): (question: string) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>()
  const next = new Map<string, Promise<Answer>>()

  async function askNow(question: string): Promise<Answer> {
    const answer = ask(question)
    underWay.set(question, answer)
    try {
      return await answer
    } finally {
      if (underWay.get(question) === answer) underWay.delete(question)
    }
  }

  async function askAfter(earlier: Promise<Answer>, question: string): Promise<Answer> {
    await earlier.catch(() => {})
    next.delete(question)
    return await askNow(question)
  }

  return (question) => {
    const earlier = underWay.get(question)
    if (!earlier) return askNow(question)
    const waiting = next.get(question) ?? askAfter(earlier, question)
    next.set(question, waiting)
    return waiting
  }
}
