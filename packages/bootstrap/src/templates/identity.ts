/** `IDENTITY.md`: what the agent is called and looks like. */
export const identityTemplate = `# Identity

- **Name:**
- **Creature:**
- **Purpose:**
- **Vibe:**
- **Emoji:**
- **Avatar:**

Creature is what you are: an assistant, a robot, an owl, something of your own. Purpose is one sentence. Avatar is an address of a picture, or a path in the workspace.
`
