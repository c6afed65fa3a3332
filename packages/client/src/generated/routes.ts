// Made from the description of the API: `npx vitest run --project client --update`.

import type { ApiRoute } from '../api-route.js'

/** How each operation of the API is requested. */
export const routes = {
  "uploadSkills": {
    "method": "post",
    "path": "/v1/skills/upload",
    "body": "form",
    "answer": "json"
  },
  "createAgent": {
    "method": "post",
    "path": "/v1/agents",
    "body": "json",
    "answer": "json"
  },
  "listAgents": {
    "method": "get",
    "path": "/v1/agents",
    "query": [
      "limit",
      "cursor"
    ],
    "answer": "json"
  },
  "getAgent": {
    "method": "get",
    "path": "/v1/agents/{agent}",
    "answer": "json"
  },
  "updateAgent": {
    "method": "patch",
    "path": "/v1/agents/{agent}",
    "body": "json",
    "answer": "json"
  },
  "deleteAgent": {
    "method": "delete",
    "path": "/v1/agents/{agent}",
    "answer": "json"
  },
  "listAgentLinks": {
    "method": "get",
    "path": "/v1/agents/{agent}/links",
    "answer": "json"
  },
  "putAgentLink": {
    "method": "put",
    "path": "/v1/agents/{agent}/links/{target}",
    "body": "json",
    "answer": "json"
  },
  "deleteAgentLink": {
    "method": "delete",
    "path": "/v1/agents/{agent}/links/{target}",
    "answer": "json"
  },
  "listContextFiles": {
    "method": "get",
    "path": "/v1/agents/{agent}/files",
    "query": [
      "userId"
    ],
    "answer": "json"
  },
  "listUserContextFiles": {
    "method": "get",
    "path": "/v1/agents/{agent}/users/{userId}/files",
    "answer": "json"
  },
  "getContextFile": {
    "method": "get",
    "path": "/v1/agents/{agent}/files/{name}",
    "answer": "json"
  },
  "putContextFile": {
    "method": "put",
    "path": "/v1/agents/{agent}/files/{name}",
    "headers": {
      "if-match": "ifMatch"
    },
    "body": "json",
    "answer": "json"
  },
  "deleteContextFile": {
    "method": "delete",
    "path": "/v1/agents/{agent}/files/{name}",
    "answer": "json"
  },
  "listContextFileVersions": {
    "method": "get",
    "path": "/v1/agents/{agent}/files/{name}/versions",
    "answer": "json"
  },
  "getUserContextFile": {
    "method": "get",
    "path": "/v1/agents/{agent}/users/{userId}/files/{name}",
    "answer": "json"
  },
  "putUserContextFile": {
    "method": "put",
    "path": "/v1/agents/{agent}/users/{userId}/files/{name}",
    "headers": {
      "if-match": "ifMatch"
    },
    "body": "json",
    "answer": "json"
  },
  "deleteUserContextFile": {
    "method": "delete",
    "path": "/v1/agents/{agent}/users/{userId}/files/{name}",
    "query": [
      "senderId",
      "senderRole"
    ],
    "answer": "json"
  },
  "summonAgent": {
    "method": "post",
    "path": "/v1/agents/{agent}/summon",
    "body": "json",
    "answer": "json"
  },
  "getSummon": {
    "method": "get",
    "path": "/v1/agents/{agent}/summon",
    "answer": "json"
  },
  "resummonAgent": {
    "method": "post",
    "path": "/v1/agents/{agent}/resummon",
    "body": "json",
    "answer": "json"
  },
  "regenerateAgent": {
    "method": "post",
    "path": "/v1/agents/{agent}/regenerate",
    "body": "json",
    "answer": "json"
  },
  "cancelSummon": {
    "method": "post",
    "path": "/v1/agents/{agent}/cancel-summon",
    "body": "json",
    "answer": "json"
  },
  "followSummon": {
    "method": "get",
    "path": "/v1/agents/{agent}/summon/events",
    "answer": "events"
  },
  "buildContext": {
    "method": "post",
    "path": "/v1/agents/{agent}/context",
    "body": "json",
    "answer": "json"
  },
  "previewSystemPrompt": {
    "method": "get",
    "path": "/v1/agents/{agent}/system-prompt-preview",
    "query": [
      "mode",
      "userId",
      "session"
    ],
    "answer": "json"
  },
  "createChatCompletion": {
    "method": "post",
    "path": "/v1/chat/completions",
    "headers": {
      "x-loam-session-id": "xLoamSessionId",
      "idempotency-key": "idempotencyKey"
    },
    "body": "json",
    "answer": "json"
  },
  "listModels": {
    "method": "get",
    "path": "/v1/models",
    "answer": "json"
  },
  "getModel": {
    "method": "get",
    "path": "/v1/models/{model}",
    "answer": "json"
  },
  "listSkills": {
    "method": "get",
    "path": "/v1/skills",
    "query": [
      "limit",
      "cursor"
    ],
    "answer": "json"
  },
  "getSkill": {
    "method": "get",
    "path": "/v1/skills/{skill}",
    "answer": "json"
  },
  "updateSkill": {
    "method": "patch",
    "path": "/v1/skills/{skill}",
    "body": "json",
    "answer": "json"
  },
  "deleteSkill": {
    "method": "delete",
    "path": "/v1/skills/{skill}",
    "query": [
      "erase"
    ],
    "answer": "json"
  },
  "restoreSkill": {
    "method": "post",
    "path": "/v1/skills/{skill}/restore",
    "answer": "json"
  },
  "switchSkill": {
    "method": "put",
    "path": "/v1/skills/{skill}/enabled",
    "body": "json",
    "answer": "json"
  },
  "listSkillVersions": {
    "method": "get",
    "path": "/v1/skills/{skill}/versions",
    "answer": "json"
  },
  "listSkillFiles": {
    "method": "get",
    "path": "/v1/skills/{skill}/files",
    "query": [
      "version"
    ],
    "answer": "json"
  },
  "getSkillFile": {
    "method": "get",
    "path": "/v1/skills/{skill}/files/{path}",
    "query": [
      "version"
    ],
    "answer": "bytes"
  },
  "getSkillDependencies": {
    "method": "get",
    "path": "/v1/skills/{skill}/dependencies",
    "query": [
      "version"
    ],
    "answer": "json"
  },
  "downloadSkill": {
    "method": "get",
    "path": "/v1/skills/{skill}/download",
    "query": [
      "version"
    ],
    "answer": "bytes"
  },
  "listSkillAudit": {
    "method": "get",
    "path": "/v1/skill-audit",
    "query": [
      "limit",
      "cursor",
      "slug"
    ],
    "answer": "json"
  },
  "listSkillWarnings": {
    "method": "get",
    "path": "/v1/skill-warnings",
    "answer": "json"
  },
  "listSkillGrants": {
    "method": "get",
    "path": "/v1/skills/{skill}/grants",
    "answer": "json"
  },
  "grantSkillToAgent": {
    "method": "put",
    "path": "/v1/skills/{skill}/grants/agents/{agent}",
    "body": "json",
    "answer": "json"
  },
  "revokeSkillFromAgent": {
    "method": "delete",
    "path": "/v1/skills/{skill}/grants/agents/{agent}",
    "answer": "json"
  },
  "grantSkillToUser": {
    "method": "put",
    "path": "/v1/skills/{skill}/grants/users/{userId}",
    "body": "json",
    "answer": "json"
  },
  "revokeSkillFromUser": {
    "method": "delete",
    "path": "/v1/skills/{skill}/grants/users/{userId}",
    "answer": "json"
  },
  "listAgentSkills": {
    "method": "get",
    "path": "/v1/agents/{agent}/skills",
    "query": [
      "userId"
    ],
    "answer": "json"
  },
  "explainAgentSkills": {
    "method": "get",
    "path": "/v1/agents/{agent}/access/effective",
    "query": [
      "userId"
    ],
    "answer": "json"
  },
  "explainSkill": {
    "method": "get",
    "path": "/v1/skills/{skill}/access/effective",
    "query": [
      "agent",
      "userId"
    ],
    "answer": "json"
  },
  "getAgentSkill": {
    "method": "get",
    "path": "/v1/agents/{agent}/skills/{skill}",
    "query": [
      "userId"
    ],
    "answer": "json"
  },
  "getAgentSkillFile": {
    "method": "get",
    "path": "/v1/agents/{agent}/skills/{skill}/files/{path}",
    "query": [
      "userId"
    ],
    "answer": "bytes"
  },
  "searchAgentSkills": {
    "method": "post",
    "path": "/v1/agents/{agent}/skills/search",
    "body": "json",
    "answer": "json"
  },
  "resolveSlashCommand": {
    "method": "post",
    "path": "/v1/agents/{agent}/slash",
    "body": "json",
    "answer": "json"
  },
  "listTools": {
    "method": "get",
    "path": "/v1/agents/{agent}/tools",
    "query": [
      "userId"
    ],
    "answer": "json"
  },
  "callTool": {
    "method": "post",
    "path": "/v1/agents/{agent}/tools/{tool}",
    "body": "json",
    "answer": "json"
  },
  "listSystemConfigs": {
    "method": "get",
    "path": "/v1/system-configs",
    "answer": "json"
  },
  "getSystemConfig": {
    "method": "get",
    "path": "/v1/system-configs/{key}",
    "answer": "json"
  },
  "putSystemConfig": {
    "method": "put",
    "path": "/v1/system-configs/{key}",
    "body": "json",
    "answer": "json"
  },
  "deleteSystemConfig": {
    "method": "delete",
    "path": "/v1/system-configs/{key}",
    "answer": "json"
  },
  "listSessions": {
    "method": "get",
    "path": "/v1/agents/{agent}/sessions",
    "query": [
      "userId",
      "allUsers",
      "limit",
      "cursor"
    ],
    "answer": "json"
  },
  "putSession": {
    "method": "put",
    "path": "/v1/agents/{agent}/sessions/{session}",
    "body": "json",
    "answer": "json"
  },
  "getSession": {
    "method": "get",
    "path": "/v1/agents/{agent}/sessions/{session}",
    "query": [
      "userId"
    ],
    "answer": "json"
  },
  "deleteSession": {
    "method": "delete",
    "path": "/v1/agents/{agent}/sessions/{session}",
    "query": [
      "userId"
    ],
    "answer": "json"
  },
  "storeMessages": {
    "method": "post",
    "path": "/v1/agents/{agent}/sessions/{session}/messages",
    "body": "json",
    "answer": "json"
  },
  "listMessages": {
    "method": "get",
    "path": "/v1/agents/{agent}/sessions/{session}/messages",
    "query": [
      "userId",
      "limit",
      "cursor",
      "order"
    ],
    "answer": "json"
  },
  "reportRun": {
    "method": "post",
    "path": "/v1/agents/{agent}/sessions/{session}/runs",
    "body": "json",
    "answer": "json"
  },
  "listDocuments": {
    "method": "get",
    "path": "/v1/agents/{agent}/memory/documents",
    "query": [
      "userId",
      "pathPrefix",
      "limit",
      "cursor"
    ],
    "answer": "json"
  },
  "putDocument": {
    "method": "put",
    "path": "/v1/agents/{agent}/memory/documents/{path}",
    "body": "json",
    "answer": "json"
  },
  "getDocument": {
    "method": "get",
    "path": "/v1/agents/{agent}/memory/documents/{path}",
    "query": [
      "userId"
    ],
    "answer": "json"
  },
  "deleteDocument": {
    "method": "delete",
    "path": "/v1/agents/{agent}/memory/documents/{path}",
    "query": [
      "userId"
    ],
    "answer": "json"
  },
  "searchMemory": {
    "method": "post",
    "path": "/v1/agents/{agent}/memory/search",
    "body": "json",
    "answer": "json"
  },
  "listEpisodes": {
    "method": "get",
    "path": "/v1/agents/{agent}/episodic",
    "query": [
      "userId",
      "allUsers",
      "session",
      "limit",
      "cursor"
    ],
    "answer": "json"
  },
  "listUserMemory": {
    "method": "get",
    "path": "/v1/agents/{agent}/users/{userId}/memory",
    "query": [
      "kinds",
      "containing",
      "limit",
      "cursor"
    ],
    "answer": "json"
  },
  "eraseUserMemory": {
    "method": "delete",
    "path": "/v1/agents/{agent}/users/{userId}/memory",
    "answer": "json"
  },
  "forgetUserMemory": {
    "method": "post",
    "path": "/v1/agents/{agent}/users/{userId}/memory/forget",
    "body": "json",
    "answer": "json"
  },
  "correctUserMemory": {
    "method": "put",
    "path": "/v1/agents/{agent}/users/{userId}/memory/items/{item}",
    "body": "json",
    "answer": "json"
  },
  "verifyUserMemory": {
    "method": "post",
    "path": "/v1/agents/{agent}/users/{userId}/memory/verify",
    "answer": "json"
  },
  "getStatus": {
    "method": "get",
    "path": "/v1/status",
    "answer": "json"
  },
  "listDeadLetters": {
    "method": "get",
    "path": "/v1/dead-letters",
    "query": [
      "limit",
      "cursor"
    ],
    "answer": "json"
  },
  "replayDeadLetters": {
    "method": "post",
    "path": "/v1/dead-letters/replay",
    "body": "json",
    "answer": "json"
  },
  "createUserKey": {
    "method": "post",
    "path": "/v1/keys",
    "body": "json",
    "answer": "json"
  },
  "listUserKeys": {
    "method": "get",
    "path": "/v1/keys",
    "query": [
      "userId",
      "limit",
      "cursor"
    ],
    "answer": "json"
  },
  "revokeUserKey": {
    "method": "delete",
    "path": "/v1/keys/{key}",
    "answer": "json"
  }
} as const satisfies Readonly<Record<string, ApiRoute>>
