import type { Command } from 'commander'
import { remote, type SharedOptions } from './command-line.js'
import type { McpCommandOptions } from './commands/mcp.js'

/** Adds the command that a desktop client starts. It prints the protocol alone, and so has no `--json`. */
export function addMcpCommand(program: Command): void {
  const mcp = remote(
    program
      .command('mcp')
      .description(
        "Serve an agent's tools to a client of the Model Context Protocol, over standard input and output.",
      ),
  )
    .requiredOption('--agent <key>', 'whose tools')
    .requiredOption('--user <id>', 'for whom: whose memory is searched and written')
    .addHelpText('after', `\n${help()}`)
  mcp.action(async (options: McpCommandOptions & SharedOptions) => {
    if (options.user === '') {
      mcp.error('error: --user may not be empty; every user would read what is written', {
        exitCode: 2,
        code: 'usage',
      })
    }
    const { runMcp } = await import('./commands/mcp.js')
    await runMcp(options)
  })
}

function help(): string {
  return [
    'Example:',
    '  $ loam mcp --agent assistant --user me',
    '',
    'A desktop client starts it by itself. Put this into its list of MCP servers, such as claude_desktop_config.json:',
    '',
    clientConfiguration({ LOAM_HOME: '/home/me/.loam' }),
    '',
    'For a Loam that runs elsewhere:',
    '',
    clientConfiguration({ LOAM_URL: 'https://loam.example.com', LOAM_API_KEY: '<key>' }),
    '',
    'Make the agent first: loam agent create assistant. For several clients at once, run "loam serve" on the same LOAM_HOME.',
  ].join('\n')
}

function clientConfiguration(env: Readonly<Record<string, string>>): string {
  // Written out, since a desktop client has neither this shell's path nor its folder.
  const args = [process.argv[1] ?? 'loam', 'mcp', '--agent', 'assistant', '--user', 'me']
  const server = { command: process.execPath, args, env }
  return JSON.stringify({ mcpServers: { loam: server } }, undefined, 2)
}
