/** `USER.md`: whom the agent talks to. */
export const userTemplate = `# The user

- **Name:**
- **What to call them:**
- **Pronouns:**
- **Language:**
- **Timezone:**
- **Notes:**

## Context

What matters to them, what they are working on, what they like and what they cannot stand. It grows with time. Write what they said or showed, never what you guess, and leave out what they would not want to find here.
`
