export type { Conversation, ConversationClient } from './conversation.js'
export { loamMiddleware } from './loam-middleware.js'
export { loamTools } from './loam-tools.js'
