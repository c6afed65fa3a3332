// Made from the description of the API: `npx vitest run --project client --update`.

export interface paths {
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It does. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Live"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether it can serve: storage reachable and migrated */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It can. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ready"];
                    };
                };
                /** @description It cannot at present. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ready"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It does. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Live"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether it can serve: storage reachable and migrated */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It can. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ready"];
                    };
                };
                /** @description It cannot at present. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ready"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The tools of an agent for a user, for clients of the Model Context Protocol */
        post: operations["answerMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store the skills in a ZIP, as new ones or as new versions */
        post: operations["uploadSkills"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List agents by key */
        get: operations["listAgents"];
        put?: never;
        /** Make an agent */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an agent */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /** Delete an agent and everything that belongs to it */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description An agent whose files a model is writing does not become open (409): wait for it, or cancel it.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/v1/agents/{agent}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Agents that this one may hand work to, by key */
        get: operations["listAgentLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/links/{target}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Let this agent hand work to another */
        put: operations["putAgentLink"];
        post?: never;
        /** Take a link away */
        delete: operations["deleteAgentLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The files of the agent, or with userId those that the user has: their own, and the agent's where they have none */
        get: operations["listContextFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/users/{userId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The files that a user has: their own, and the agent's where they have none */
        get: operations["listUserContextFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/files/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a file of the agent's own */
        get: operations["getContextFile"];
        /** Write a file of the agent's own, as its operator */
        put: operations["putContextFile"];
        post?: never;
        /** Delete a file of the agent's own */
        delete: operations["deleteContextFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/files/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a file of the agent's own said before, newest first */
        get: operations["listContextFileVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/users/{userId}/files/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a user's file as the agent's own tool does: theirs, else the agent's */
        get: operations["getUserContextFile"];
        /** Write a user's file as the agent's own tool does, by its rules */
        put: operations["putUserContextFile"];
        post?: never;
        /** Delete a user's own file, by the rules of writing one */
        delete: operations["deleteUserContextFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/summon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the newest writing of the files stands */
        get: operations["getSummon"];
        put?: never;
        /** Have a model write the agent's files from its description; what was edited by hand stays */
        post: operations["summonAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/resummon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try again to have the files written that are still templates */
        post: operations["resummonAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have a model change the agent's files by an instruction; the old texts are kept as versions */
        post: operations["regenerateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/cancel-summon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the writing; the agent is active with what it had */
        post: operations["cancelSummon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/summon/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Server-sent events of the newest writing: started, file_generated for each file, then completed, failed or cancelled */
        get: operations["followSummon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Build the system prompt of a turn */
        post: operations["buildContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/system-prompt-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See the system prompt that a user would have, without side effects */
        get: operations["previewSystemPrompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Talk to an agent that remembers, as any client of OpenAI does */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents as models */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an agent as a model */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List stored skills by slug; a key that is bound to a user lists those that it may manage */
        get: operations["listSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what is known of a stored skill */
        get: operations["getSkill"];
        put?: never;
        post?: never;
        /** Take a skill away, to be restored by its id; or erase it for good */
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        /** Change who may use a skill, whether it is offered, or which version is served; one that becomes private loses its grants */
        patch: operations["updateSkill"];
        trace?: never;
    };
    "/v1/skills/{skill}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring a deleted skill back, by its id */
        post: operations["restoreSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Switch a skill on or off for the tenant, also one of a folder */
        put: operations["switchSkill"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a skill, newest first */
        get: operations["listSkillVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files of a skill by path */
        get: operations["listSkillFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a file of a skill */
        get: operations["getSkillFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/dependencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the scripts of a skill need on the machine that runs them; nothing is installed */
        get: operations["getSkillDependencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a skill as a ZIP */
        get: operations["downloadSkill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skill-audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was done with skills and by whom, newest first */
        get: operations["listSkillAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skill-warnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is wrong with the skills of folders, also with those that could not be loaded */
        get: operations["listSkillWarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who may use a skill by a grant */
        get: operations["listSkillGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/grants/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Let an agent use a skill, at a version of its own if one is pinned */
        put: operations["grantSkillToAgent"];
        post?: never;
        /** Take the grant of an agent back */
        delete: operations["revokeSkillFromAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/grants/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Let a user use a skill with every agent */
        put: operations["grantSkillToUser"];
        post?: never;
        /** Take the grant of a user back */
        delete: operations["revokeSkillFromUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The skills that an agent and a user may use, by slug */
        get: operations["listAgentSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/access/effective": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every skill that there is, and why the agent and the user may use it or not */
        get: operations["explainAgentSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill}/access/effective": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why an agent and a user may use a skill or not */
        get: operations["explainSkill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/skills/{skill}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the instructions of a skill that the agent and the user may use */
        get: operations["getAgentSkill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/skills/{skill}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a file of a skill that the agent and the user may use */
        get: operations["getAgentSkillFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/skills/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Search the skills that the agent and the user may use, by words and meaning */
        post: operations["searchAgentSkills"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/slash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a message would do as a slash command */
        post: operations["resolveSlashCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tools that an agent has for a user */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/tools/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Call a tool as the model says */
        post: operations["callTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system-configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The settings that the tenant has made, by key */
        get: operations["listSystemConfigs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system-configs/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a setting */
        get: operations["getSystemConfig"];
        /** Make a setting */
        put: operations["putSystemConfig"];
        post?: never;
        /** Take a setting away, so that its default holds again */
        delete: operations["deleteSystemConfig"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sessions, newest first */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a session */
        get: operations["getSession"];
        /** Make or change a session */
        put: operations["putSession"];
        post?: never;
        /** Delete a session and everything derived from it */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/sessions/{session}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a session */
        get: operations["listMessages"];
        put?: never;
        /** Store messages; the first batch makes the session */
        post: operations["storeMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/sessions/{session}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report an answered turn or finished task, which sets consolidation going */
        post: operations["reportRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/memory/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a user's documents and the shared ones, by path */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/memory/documents/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a user's own document, else the shared one */
        get: operations["getDocument"];
        /** Write a document and make it findable */
        put: operations["putDocument"];
        post?: never;
        /** Delete the document of exactly this owner */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/memory/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find by words and by meaning */
        post: operations["searchMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/episodic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List episodes, newest first */
        get: operations["listEpisodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/users/{userId}/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything that is held about a user, newest first */
        get: operations["listUserMemory"];
        put?: never;
        post?: never;
        /** Erase everything that is held about a user, wherever it went */
        delete: operations["eraseUserMemory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/users/{userId}/memory/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forget some of what is held about a user, and all that was made of it; all of them or none */
        post: operations["forgetUserMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/users/{userId}/memory/items/{item}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Correct what a document, an episode or a file says about a user */
        put: operations["correctUserMemory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/users/{userId}/memory/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How much is held about a user; nothing, after it was erased */
        post: operations["verifyUserMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What of the tenant is indexed, and what waits */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the work that was given up, newest first */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have given-up work tried again: that which is named, one consumer's, or all of the tenant */
        post: operations["replayDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys that are bound to users, by name */
        get: operations["listUserKeys"];
        put?: never;
        /** Make a key that is bound to a user, for that user’s own programs and pages */
        post: operations["createUserKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a key that is bound to a user */
        delete: operations["revokeUserKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Live: {
            /** @enum {string} */
            status: "ok";
        };
        Ready: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            checks: components["schemas"]["HealthCheck"][];
        };
        HealthCheck: {
            name: string;
            ok: boolean;
            /** @description Whether the process cannot do its work without it. */
            required: boolean;
            detail: string;
        };
        UploadedSkills: {
            items: {
                /** @enum {string} */
                outcome: "created" | "updated" | "unchanged";
                skill: components["schemas"]["Skill"];
                warnings: components["schemas"]["SkillWarning"][];
                /** @description Lines that someone should look at. Advice: nothing is refused for them. */
                findings: {
                    path: string;
                    line: number;
                    rule: string;
                    excerpt: string;
                }[];
            }[];
            /** @description Files that belong to no skill. */
            ignored: string[];
        };
        Skill: {
            /** Format: uuid */
            id: string;
            slug: string;
            name: string;
            description: string;
            /** @enum {string} */
            visibility: "private" | "internal" | "public";
            /** @enum {string} */
            status: "active" | "archived";
            /** @description Empty when no user owns it. */
            ownerUserId: string;
            /** Format: uuid */
            ownerAgentId?: string;
            /** @description The version that is served. */
            version: number;
            contentHash: string;
            fileCount: number;
            sizeBytes: number;
            frontmatter: {
                [key: string]: unknown;
            };
            warnings: components["schemas"]["SkillWarning"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            deletedAt?: string;
        };
        SkillWarning: {
            /** @enum {string} */
            code: "encoding" | "frontmatter_missing" | "frontmatter_unclosed" | "frontmatter_invalid" | "frontmatter_limit" | "field_invalid" | "format" | "path" | "unreadable" | "shadowed" | "visibility_kept";
            message: string;
            line?: number;
        };
        Problem: {
            /** @example urn:loam:problem:invalid_input */
            type: string;
            title: string;
            status: number;
            /** @example invalid_input */
            code: string;
            detail: string;
            /** @description What is wrong with the input, and where. */
            issues?: {
                path: string;
                message: string;
            }[];
            requestId: string;
        };
        SkillUpload: {
            /** @description Takes the place of the folder's name; for a single skill. */
            slug?: string;
            /**
             * @description Of new skills. Default internal; with a key that is bound to a user private, and nothing else.
             * @enum {string}
             */
            visibility?: "private" | "internal" | "public";
            /** @description A JSON array of up to 100 agents, by key or id, that may use and manage the skills. */
            managerAgents?: string;
            /** Format: binary */
            file: Blob | Uint8Array;
        };
        CreatedAgent: {
            /** Format: uuid */
            id: string;
            key: string;
            /** @enum {string} */
            type: "open" | "predefined";
            displayName?: string;
            /** @description What a model writes its files from. Not told to a key that is bound to a user; `expertise` is. */
            description?: string;
            /**
             * @description `summoning` while a model writes its files; it can be talked to meanwhile.
             * @enum {string}
             */
            status: "active" | "summoning";
            /** @description What it is good at. */
            expertise?: string;
            settings: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            warnings?: string[];
        };
        NewAgent: {
            /** @example assistant */
            key: string;
            /**
             * @default open
             * @enum {string}
             */
            type?: "open" | "predefined";
            displayName?: string;
            description?: string;
            /** @description Settings of the features: `consolidation`, `contextFiles`, `prompt` and `skills` are checked. Unknown ones are kept. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Whether a model writes its files from its description. Default: if it is predefined, has one, and a model is configured. */
            summon?: boolean;
        };
        Agent: {
            /** Format: uuid */
            id: string;
            key: string;
            /** @enum {string} */
            type: "open" | "predefined";
            displayName?: string;
            /** @description What a model writes its files from. Not told to a key that is bound to a user; `expertise` is. */
            description?: string;
            /**
             * @description `summoning` while a model writes its files; it can be talked to meanwhile.
             * @enum {string}
             */
            status: "active" | "summoning";
            /** @description What it is good at. */
            expertise?: string;
            settings: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description Fields that are left out stay; null empties a field; settings are merged, and null removes one (RFC 7396). */
        AgentPatch: {
            /** @enum {string} */
            type?: "open" | "predefined";
            displayName?: string | null;
            description?: string | null;
            /** @description Settings of the features: `consolidation`, `contextFiles`, `prompt` and `skills` are checked. Unknown ones are kept. */
            settings?: {
                [key: string]: unknown;
            };
        };
        /** @description How many rows of each kind were deleted. */
        DeletionReceipt: {
            agents: number;
            contextFiles: number;
            sessions: number;
            messages: number;
            runs: number;
            documents: number;
            episodes: number;
            chunks: number;
            vectors: number;
        };
        AgentLinks: {
            items: components["schemas"]["AgentLink"][];
        };
        AgentLink: {
            target: {
                /** Format: uuid */
                id: string;
                key: string;
                displayName?: string;
                /** @description Not told to a key that is bound to a user. */
                description?: string;
            };
            /** @description What the target is for, in the eyes of this agent. Without it, the target's own description counts. */
            description?: string;
            /** Format: date-time */
            createdAt: string;
        };
        AgentLinkWrite: {
            description?: string;
        };
        AgentLinkDeleted: {
            deleted: boolean;
        };
        MergedContextFiles: {
            items: {
                name: string;
                /** @description Whose it is; empty for the agent's own. */
                userId: string;
                version: number;
                /** @description UTF-16 code units. */
                characters: number;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                /** @enum {string} */
                origin: "agent" | "user";
            }[];
        };
        ContextFile: {
            name: string;
            /** @description Whose it is; empty for the agent's own. */
            userId: string;
            version: number;
            /** @description UTF-16 code units. */
            characters: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            content: string;
        };
        ContextFileWrite: {
            content: string;
        };
        ContextFileDeleted: {
            deleted: boolean;
        };
        ContextFileVersions: {
            items: {
                version: number;
                content: string;
                /** Format: date-time */
                replacedAt: string;
            }[];
        };
        ContextFileWritten: {
            /**
             * @description `onboarded`: BOOTSTRAP.md was written empty, which ends the first meeting.
             * @enum {string}
             */
            outcome: "written" | "onboarded";
            file?: components["schemas"]["ContextFile"];
        };
        UserContextFileWrite: {
            content: string;
            /** @description Who spoke, when the user is a group. A key that is bound to a user speaks as that user alone. */
            senderId?: string;
            /** @description Their role on the channel; admins, operators and owners may change a group. */
            senderRole?: string;
        };
        Summon: {
            generation: number;
            /** @enum {string} */
            kind: "create" | "retry" | "regenerate";
            /** @enum {string} */
            state: "running" | "completed" | "partial" | "failed" | "cancelled";
            /** @description What the model is to write from. Not told to a key that is bound to a user. */
            instruction?: string;
            files: {
                name: string;
                /** @enum {string} */
                outcome: "written" | "kept";
                reason?: string;
            }[];
            error?: {
                code: string;
                message: string;
            };
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            finishedAt?: string;
        };
        NothingToSay: Record<string, never>;
        RegenerateFiles: {
            instruction: string;
        };
        Context: {
            /** @description The whole system prompt. */
            prompt: string;
            /** @description What stands above the cache boundary: the same for every user, turn and day. */
            stable: string;
            /** @description What stands below it. */
            dynamic: string;
            /** @enum {string} */
            mode: "full" | "task" | "minimal" | "none";
            sections: {
                id: string;
                title: string;
                characters: number;
                /** @description Estimated. */
                tokens: number;
                stable: boolean;
            }[];
            characters: number;
            /** @description Estimated. */
            tokens: number;
            /** @description The user's turn for the model: rewritten by a slash command, else as it was given. Store what the user typed. */
            message?: string;
            slash: {
                /** @enum {string} */
                kind: "none" | "activate" | "list" | "help" | "unknown";
                /** @description Of the skill that is used or explained. */
                slug?: string;
                /** @description What no skill was found for. */
                target?: string;
                /** @description Slugs that are like it. */
                suggestions?: string[];
            };
            skills: {
                /** @enum {string} */
                mode: "none" | "inline" | "search";
                /** @description How many the agent and the user may use. */
                count: number;
                /** @description Slugs that the prompt lists. */
                listed: string[];
                /** @description Estimated, of all names and descriptions. */
                tokens: number;
                version: number;
            };
            /** @description Memories in the prompt; none yet. */
            injected: {
                [key: string]: unknown;
            }[];
            /** @description Whether the agent meets this user for the first time. */
            firstRun: boolean;
            /** @description To be appended to the conversation as a message of the user's role, for the model alone. */
            nudge?: string;
            warnings: string[];
        };
        /** @description Without userId or with an empty one, the agent's own files alone. */
        ContextRequest: {
            /**
             * @description May be left out when the key is bound to a user.
             * @example user-1
             */
            userId?: string;
            /**
             * @description The session's key, percent-encoded.
             * @example chat-1
             */
            session?: string;
            /** @description Names the turn, so that asking twice counts once; such as the id of its run. */
            turnId?: string;
            /** @description What the user says; a slash command in it is done. */
            message?: string;
            /** @description Takes the place of the agent's list for this request; never reaches beyond what is accessible. With a key that is bound to a user it only takes away from the agent's list. */
            skillFilter?: string[] | null;
            /** @enum {string} */
            mode?: "full" | "task" | "minimal" | "none";
            /** @example Europe/Berlin */
            timezone?: string;
            channel?: {
                platform?: string;
                chatId?: string;
                /** @enum {string} */
                kind?: "direct" | "group";
                title?: string;
                /** @description What the channel calls the user. */
                userDisplayName?: string;
                language?: string;
            };
            team?: {
                name: string;
                /** @description This agent's part in the team. */
                role?: string;
                members: {
                    name: string;
                    role?: string;
                    description?: string;
                }[];
                workflow?: string;
            };
            delegationTargets?: {
                name: string;
                description?: string;
            }[];
            tools?: {
                name: string;
                description?: string;
            }[];
            workspace?: {
                path?: string;
                notes?: string;
            };
            sandbox?: {
                notes?: string;
            };
            extraPrompt?: string;
            canSpawn?: boolean;
            /** @description What the agent replies when there is nothing to say. Default NO_REPLY; false where a reply is awaited. */
            silentToken?: string | false;
            model?: string;
        };
        ChatCompletion: {
            id: string;
            /** @description Seconds since 1970. */
            created: number;
            model: string;
            /** @enum {string} */
            object: "chat.completion";
            choices: {
                index: number;
                message: {
                    /** @enum {string} */
                    role: "assistant";
                    content: string | null;
                    refusal: null;
                    tool_calls?: {
                        id: string;
                        /** @enum {string} */
                        type: "function";
                        function: {
                            name: string;
                            /** @description JSON, as the model wrote it. */
                            arguments: string;
                        };
                    }[];
                };
                /** @description Why it ended: stop, length, tool_calls or content_filter. */
                finish_reason: string;
                logprobs: null;
            }[];
            usage?: components["schemas"]["ChatUsage"];
            /** @description What the agent had to do without. */
            warnings?: string[];
        };
        /** @description Of all requests to the model that the answer took. */
        ChatUsage: {
            prompt_tokens: number;
            completion_tokens: number;
            total_tokens: number;
        };
        ChatCompletionChunk: {
            id: string;
            /** @description Seconds since 1970. */
            created: number;
            model: string;
            /** @enum {string} */
            object: "chat.completion.chunk";
            choices: {
                index: number;
                delta: {
                    /** @enum {string} */
                    role?: "assistant";
                    content?: string;
                    tool_calls?: {
                        index: number;
                        id: string;
                        /** @enum {string} */
                        type: "function";
                        function: {
                            name: string;
                            /** @description JSON, as the model wrote it. */
                            arguments: string;
                        };
                    }[];
                };
                /** @description Why it ended: stop, length, tool_calls or content_filter. */
                finish_reason: string | null;
                logprobs: null;
            }[];
            usage?: components["schemas"]["ChatUsage"] & (Record<string, never> | null);
            /** @description What the agent had to do without. */
            warnings?: string[];
        };
        OpenAiError: {
            error: {
                message: string;
                /** @example invalid_request_error */
                type: string;
                /** @description Which field is wrong. */
                param: string | null;
                /** @example invalid_input */
                code: string;
            };
        };
        /** @description As in the API of OpenAI. Other fields, such as temperature, are for the model. */
        ChatCompletionRequest: {
            /** @example loam:assistant */
            model: string;
            messages: ({
                role: string;
                content?: string | ({
                    type: string;
                } & {
                    [key: string]: unknown;
                })[] | null;
                name?: string | null;
                tool_call_id?: string | null;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * @description Whose memory it is. May be left out when the key is bound to a user.
             * @example user-1
             */
            user?: string | null;
            stream?: boolean | null;
            stream_options?: ({
                include_usage?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            tool_choice?: unknown;
            /** @description Tools of the client's own; a call of one is answered to the client. */
            tools?: ({
                /** @enum {string} */
                type: "function";
                function: {
                    name: string;
                    description?: string | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @enum {number|null} */
            n?: 1 | null;
            modalities?: "text"[] | null;
        } & {
            [key: string]: unknown;
        };
        ModelList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Model"][];
        };
        /** @description An agent, as a model that can be talked to. */
        Model: {
            /** @example loam:assistant */
            id: string;
            /** @enum {string} */
            object: "model";
            /** @description Seconds since 1970. */
            created: number;
            /** @enum {string} */
            owned_by: "loam";
        };
        SkillPage: {
            items: components["schemas"]["Skill"][];
            /** @description Present when there is more. */
            nextCursor?: string;
        };
        SkillPatch: {
            /** @enum {string} */
            visibility?: "private" | "internal" | "public";
            /** @enum {string} */
            status?: "active" | "archived";
            version?: number;
        };
        SkillDeleted: {
            deleted: boolean;
            /**
             * Format: uuid
             * @description For restoring it.
             */
            id?: string;
            erased?: {
                skills: number;
                versions: number;
                files: number;
                grants: number;
            };
        };
        SkillSwitched: {
            enabled: boolean;
        };
        SkillSwitch: {
            enabled: boolean;
        };
        SkillVersions: {
            items: components["schemas"]["SkillVersion"][];
        };
        SkillVersion: {
            version: number;
            name: string;
            description: string;
            contentHash: string;
            fileCount: number;
            sizeBytes: number;
            warnings: components["schemas"]["SkillWarning"][];
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
        };
        SkillFiles: {
            items: {
                path: string;
                sizeBytes: number;
            }[];
        };
        SkillDependencies: {
            /** @enum {string} */
            origin: "declared" | "scanned";
            runtimes: string[];
            python: string[];
            node: string[];
            system: string[];
            github: string[];
            ignored: string[];
        };
        SkillAuditPage: {
            items: components["schemas"]["SkillAuditEntry"][];
            /** @description Present when there is more. */
            nextCursor?: string;
        };
        SkillAuditEntry: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** Format: uuid */
            skillId?: string;
            action: string;
            actor: string;
            details: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            at: string;
        };
        SkillWarnings: {
            items: {
                /** @enum {string} */
                source: "workspace" | "agents-project" | "agents-personal" | "managed" | "global" | "builtin";
                slug: string;
                warning: components["schemas"]["SkillWarning"];
            }[];
        };
        SkillGrants: {
            agents: components["schemas"]["SkillAgentGrant"][];
            users: components["schemas"]["SkillUserGrant"][];
        };
        SkillAgentGrant: {
            /** Format: uuid */
            agentId: string;
            pinnedVersion?: number;
            canManage: boolean;
            grantedBy: string;
            /** Format: date-time */
            grantedAt: string;
        };
        SkillUserGrant: {
            userId: string;
            canManage: boolean;
            grantedBy: string;
            /** Format: date-time */
            grantedAt: string;
        };
        SkillAgentGrantWrite: {
            /** @description Left out, a version that is pinned stays so; null pins none. */
            pinnedVersion?: number | null;
            /** @default false */
            canManage?: boolean;
        };
        SkillGrantRevoked: {
            revoked: boolean;
        };
        SkillUserGrantWrite: {
            /** @default false */
            canManage?: boolean;
        };
        AgentSkills: {
            items: {
                slug: string;
                name: string;
                description: string;
                /** @enum {string} */
                source: "workspace" | "agents-project" | "agents-personal" | "managed" | "global" | "builtin";
                version?: number;
                /** @description Where its SKILL.md can be read: a path, or skill://<slug>/SKILL.md, which GET …/skills/{slug} reads. */
                location: string;
                warnings: components["schemas"]["SkillWarning"][];
            }[];
            /** @description Grows with every change. */
            version: number;
        };
        SkillAccesses: {
            items: components["schemas"]["SkillAccess"][];
        };
        SkillAccess: {
            slug: string;
            accessible: boolean;
            /** @enum {string} */
            reason: "folder" | "public" | "owner" | "agent_grant" | "user_grant" | "disabled" | "archived" | "not_owner" | "not_granted" | "not_in_allow_list" | "not_in_filter" | "not_found";
            canManage: boolean;
            pinnedVersion?: number;
            /** @enum {string} */
            source?: "workspace" | "agents-project" | "agents-personal" | "managed" | "global" | "builtin";
        };
        AgentSkill: {
            slug: string;
            name: string;
            description: string;
            /** @enum {string} */
            source: "workspace" | "agents-project" | "agents-personal" | "managed" | "global" | "builtin";
            version?: number;
            /** @description Where its SKILL.md can be read: a path, or skill://<slug>/SKILL.md, which GET …/skills/{slug} reads. */
            location: string;
            warnings: components["schemas"]["SkillWarning"][];
            /** @description Below its frontmatter, with {baseDir} filled in. */
            text: string;
        };
        SkillSearchResult: {
            items: {
                slug: string;
                name: string;
                description: string;
                /** @enum {string} */
                source: "workspace" | "agents-project" | "agents-personal" | "managed" | "global" | "builtin";
                version?: number;
                /** @description Where its SKILL.md can be read: a path, or skill://<slug>/SKILL.md, which GET …/skills/{slug} reads. */
                location: string;
                warnings: components["schemas"]["SkillWarning"][];
                score: number;
            }[];
            /** @enum {string} */
            mode: "bm25" | "hybrid";
            warnings: string[];
        };
        SkillSearch: {
            query: string;
            /**
             * @description May be left out when the key is bound to a user.
             * @example user-1
             */
            userId?: string;
            /** @default 5 */
            limit?: number;
            /** @description Takes the place of the agent's list for this request; never reaches beyond what is accessible. With a key that is bound to a user it only takes away from the agent's list. */
            skillFilter?: string[] | null;
        };
        SlashCommand: {
            /** @enum {string} */
            kind: "none" | "activate" | "list" | "help" | "unknown";
            /** @description Of the skill that is used or explained. */
            slug?: string;
            /** @description What no skill was found for. */
            target?: string;
            /** @description Slugs that are like it. */
            suggestions?: string[];
            /** @description What the turn says to the model. */
            message: string;
            extraPrompt?: string;
            /** @description Slugs that the turn lists. */
            skills: string[];
        };
        SlashRequest: {
            message: string;
            /**
             * @description May be left out when the key is bound to a user.
             * @example user-1
             */
            userId?: string;
            /** @description Takes the place of the agent's list for this request; never reaches beyond what is accessible. With a key that is bound to a user it only takes away from the agent's list. */
            skillFilter?: string[] | null;
        };
        ToolList: {
            items: components["schemas"]["Tool"][];
        };
        Tool: {
            name: string;
            /** @description What people call it. */
            title?: string;
            description: string;
            /** @description JSON Schema of the arguments. */
            inputSchema: {
                [key: string]: unknown;
            };
            isReadOnly: boolean;
            /** @description May take away what was there. */
            isDestructive: boolean;
            /** @description The same call again changes nothing more. */
            isIdempotent: boolean;
            /** @description Reaches beyond what Loam keeps. */
            isOpenWorld: boolean;
        };
        ToolResult: {
            content: string;
            isError: boolean;
        };
        ToolCall: {
            /**
             * @description May be left out when the key is bound to a user.
             * @example user-1
             */
            userId?: string;
            /** @description Who spoke, when the user is a group. A key that is bound to a user speaks as that user alone. */
            senderId?: string;
            /**
             * @description An object, or its JSON as the model wrote it.
             * @default {}
             */
            arguments?: string | {
                [key: string]: unknown;
            };
        };
        SystemConfigs: {
            items: components["schemas"]["SystemConfig"][];
        };
        SystemConfig: {
            key: string;
            value: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SystemConfigWrite: {
            value: string | boolean | number;
        };
        SystemConfigDeleted: {
            deleted: boolean;
        };
        Session: {
            /** Format: uuid */
            id: string;
            key: string;
            userId: string;
            /** @enum {string} */
            kind: "direct" | "group" | "subagent" | "cron" | "heartbeat" | "team";
            channel?: string;
            timezone?: string;
            contextWindow?: number;
            title?: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Sequence of its newest message; 0 when it has none. */
            lastSequence: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description Makes the session, or changes the fields given; null empties one. Owner and kind are fixed when it is made. */
        SessionWrite: {
            /**
             * @description May be left out when the key is bound to a user.
             * @example user-1
             */
            userId?: string;
            /** @enum {string} */
            kind?: "direct" | "group" | "subagent" | "cron" | "heartbeat" | "team";
            channel?: string | null;
            /** @example Europe/Berlin */
            timezone?: string | null;
            contextWindow?: number | null;
            title?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
        };
        StoredMessages: {
            /** @description Key of the session. */
            session: string;
            /** Format: uuid */
            sessionId: string;
            items: {
                id: string;
                sequence: number;
                duplicate: boolean;
            }[];
            stored: number;
            duplicates: number;
            /**
             * @description `lexical`: findable by words now, by meaning once the embedding model answers.
             * @enum {string}
             */
            indexState: "complete" | "lexical";
        };
        MessageBatch: {
            /**
             * @description May be left out when the key is bound to a user.
             * @example user-1
             */
            userId?: string;
            messages: components["schemas"]["NewMessage"][];
            /** @description What the session is made with, if this batch makes it. */
            newSession?: {
                /** @enum {string} */
                kind?: "direct" | "group" | "subagent" | "cron" | "heartbeat" | "team";
                channel?: string;
                /** @example Europe/Berlin */
                timezone?: string;
                contextWindow?: number;
                title?: string;
                metadata?: {
                    [key: string]: unknown;
                };
            };
        };
        NewMessage: {
            /** @description The client's own id. A message sent twice with the same one is stored once. */
            id?: string;
            /** @enum {string} */
            role: "user" | "assistant" | "system" | "tool";
            content: string | ({
                /** @enum {string} */
                type: "text";
                text: string;
            } | {
                /** @enum {string} */
                type: "image";
                url?: string;
                caption?: string;
            } | {
                /** @enum {string} */
                type: "file";
                url?: string;
                name?: string;
                mediaType?: string;
                caption?: string;
            })[] | null;
            name?: string;
            senderId?: string;
            toolCalls?: {
                id: string;
                name: string;
                arguments: string;
            }[];
            toolCallId?: string;
            /** @enum {string} */
            origin?: "conversation" | "injected" | "system";
            /** Format: date-time */
            createdAt?: string;
            metadata?: {
                [key: string]: unknown;
            };
        };
        Message: {
            id: string;
            sequence: number;
            /** @enum {string} */
            role: "user" | "assistant" | "system" | "tool";
            content: string | ({
                /** @enum {string} */
                type: "text";
                text: string;
            } | {
                /** @enum {string} */
                type: "image";
                url?: string;
                caption?: string;
            } | {
                /** @enum {string} */
                type: "file";
                url?: string;
                name?: string;
                mediaType?: string;
                caption?: string;
            })[] | null;
            name?: string;
            senderId?: string;
            toolCalls?: {
                id: string;
                name: string;
                arguments: string;
            }[];
            toolCallId?: string;
            /** @enum {string} */
            origin: "conversation" | "injected" | "system";
            /** Format: date-time */
            createdAt: string;
            metadata?: {
                [key: string]: unknown;
            };
        };
        AcceptedRun: {
            runId: string;
            /** Format: uuid */
            eventId: string;
        };
        RunReport: {
            /**
             * @description May be left out when the key is bound to a user.
             * @example user-1
             */
            userId?: string;
            /** @description The client's own id. A report sent twice counts once. */
            runId: string;
            /** @enum {string} */
            status: "completed" | "failed" | "cancelled";
            /** @description What the client's own compaction made of the conversation so far. */
            compactionSummary?: string;
            usage?: {
                inputTokens?: number;
                outputTokens?: number;
            };
        };
        DocumentSummary: {
            /** Format: uuid */
            id: string;
            path: string;
            /** @description Its owner; empty when all users of the agent share it. */
            userId: string;
            hash: string;
            /** @enum {string} */
            indexState: "pending" | "lexical" | "complete" | "failed";
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            contentLength: number;
        };
        WrittenDocument: {
            /** Format: uuid */
            id: string;
            path: string;
            /** @description Its owner; empty when all users of the agent share it. */
            userId: string;
            hash: string;
            /** @enum {string} */
            indexState: "pending" | "lexical" | "complete" | "failed";
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            contentLength: number;
            /**
             * @description `unchanged`: the same text was there already, so nothing was done.
             * @enum {string}
             */
            indexing: "unchanged" | "complete" | "lexical";
        };
        /** @description Without userId, the document that all users share. */
        DocumentWrite: {
            content: string;
            /**
             * @description May be left out when the key is bound to a user.
             * @example user-1
             */
            userId?: string;
            metadata?: {
                [key: string]: unknown;
            };
        };
        Document: {
            /** Format: uuid */
            id: string;
            path: string;
            /** @description Its owner; empty when all users of the agent share it. */
            userId: string;
            hash: string;
            /** @enum {string} */
            indexState: "pending" | "lexical" | "complete" | "failed";
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            content: string;
        };
        SearchResponse: {
            results: components["schemas"]["SearchResult"][];
            count: number;
            /** @description Why less than usual was searched, such as an embedding model that did not answer. */
            degraded?: string;
            explanation?: {
                terms: string[];
                weights: {
                    lexical: number;
                    vector: number;
                };
                candidates: {
                    lexical: number;
                    vector: number;
                };
                timingsMs: {
                    embed: number;
                    search: number;
                    rank: number;
                };
            };
        };
        SearchResult: {
            id: string;
            /** @enum {string} */
            source: "documents" | "messages" | "episodes";
            score: number;
            text: string;
            /** @enum {string} */
            scope: "personal" | "global";
            path?: string;
            startLine?: number;
            endLine?: number;
            session?: string;
            sequence?: number;
            messageId?: string;
            episodeId?: string;
            /** Format: date-time */
            createdAt: string;
            explanation?: components["schemas"]["ScoreExplanation"];
        };
        ScoreExplanation: {
            lexical: number;
            vector: number;
            neighbours: number;
            session: number;
            speaker: number;
            matchedTerms: string[];
            similarity?: number;
        };
        /** @description Searches what is of the user and what all users share; with an empty userId the latter alone. */
        SearchRequest: {
            query: string;
            /**
             * @description May be left out when the key is bound to a user.
             * @example user-1
             */
            userId?: string;
            maxResults?: number;
            minScore?: number;
            sources?: ("documents" | "messages" | "episodes")[];
            pathPrefix?: string;
            /** Format: date-time */
            now?: string;
            /** @example Europe/Berlin */
            timezone?: string;
            explain?: boolean;
        };
        Episode: {
            /** Format: uuid */
            id: string;
            userId: string;
            /** @description Key of the session. */
            session: string;
            firstSequence: number;
            lastSequence: number;
            summary: string;
            abstract: string;
            topics: string[];
            /** @enum {string} */
            method: "model" | "rules" | "compaction" | "correction";
            messageCount: number;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt?: string;
        };
        UserMemoryPage: {
            items: components["schemas"]["UserMemoryItem"][];
            /** @description Present when there is more. */
            nextCursor?: string;
        };
        UserMemoryItem: {
            /** @enum {string} */
            kind: "message" | "document" | "episode" | "file";
            /**
             * @description Names it among all that is held, to forget or correct it.
             * @example message:0193a5b0-7000-7000-8000-000000000001:3
             */
            id: string;
            /** @description Key of the session, path of the document, name of the file. */
            source: string;
            /** @description What it says; of a message also the tools it called. */
            text: string;
            /** Format: date-time */
            createdAt: string;
        };
        UserMemoryForgotten: {
            messages: number;
            documents: number;
            /** @description Those named, and those made with messages that were forgotten. */
            episodes: number;
            contextFiles: number;
            chunks: number;
            vectors: number;
            /** @description Stretches of which a new episode is being made of what remains. */
            episodesToRewrite: number;
        };
        UserMemoryForget: {
            ids: string[];
        };
        UserMemoryCorrection: {
            text: string;
        };
        UserMemoryErased: {
            contextFiles: number;
            sessions: number;
            messages: number;
            runs: number;
            documents: number;
            episodes: number;
            chunks: number;
            vectors: number;
            postings: number;
            events: number;
            deliveries: number;
            acquaintances: number;
            /** @description Model calls that bear the user's name; what they cost stays on record without it. */
            modelCalls: number;
        };
        UserMemoryVerified: {
            isEmpty: boolean;
            held: {
                contextFiles: number;
                sessions: number;
                messages: number;
                runs: number;
                documents: number;
                episodes: number;
                chunks: number;
                vectors: number;
                postings: number;
                events: number;
                deliveries: number;
                acquaintances: number;
                /** @description Model calls that bear the user's name; what they cost stays on record without it. */
                modelCalls: number;
            };
        };
        Status: {
            checks: components["schemas"]["HealthCheck"][];
            index: {
                /** @description Found by words. */
                chunks: number;
                /** @description Not yet found by meaning. */
                withoutVector: number;
                provider: string;
                model: string;
                dimensions: number;
                /** @description In which meaning is searched, as BCP 47 tags; absent when the model does not say. */
                languages?: string[];
            };
            deliveries: {
                consumer: string;
                /** @enum {string} */
                state: "pending" | "sent" | "running" | "done" | "dead";
                count: number;
            }[];
            /** @description What deliveries wait for that failed or were put off. */
            waiting: {
                consumer: string;
                reason: string;
                count: number;
                /** Format: date-time */
                nextAt: string;
            }[];
            /** @description What model calls took since midnight UTC, and what they may. */
            usage: {
                /** Format: date-time */
                since: string;
                calls: number;
                inputTokens: number;
                outputTokens: number;
                /** @description What counts against the daily limit. */
                chargedTokens: number;
                costUsd: number;
                dailyTokenLimit?: number;
                dailyCostLimitUsd?: number;
            };
        };
        DeadLetter: {
            /** Format: uuid */
            id: string;
            /** @example run.completed.episodic */
            consumer: string;
            /** @description How often it was tried. */
            tries: number;
            lastError?: string;
            event: {
                /** Format: uuid */
                id: string;
                type: string;
                /** Format: uuid */
                agentId: string;
                /** @description Its key, while there is one. */
                agent?: string;
                userId: string;
                /** @description The key of the session that it is about, if it is about one that is there. */
                session?: string;
                /** Format: date-time */
                occurredAt: string;
            };
        };
        Replayed: {
            /** @description Deliveries that are due again. */
            replayed: number;
        };
        ReplayDeadLetters: {
            ids?: string[];
            consumer?: string;
        };
        NewUserKey: {
            name: string;
            /** @description The one user it acts for. */
            userId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description The key itself. It is stored nowhere, and told once. */
            secret: string;
        };
        UserKeyRequest: {
            /**
             * @description The one user it is to act for.
             * @example user-1
             */
            userId: string;
            /** @description Default: a new one. */
            name?: string;
        };
        UserKey: {
            name: string;
            /** @description The one user it acts for. */
            userId: string;
            /** Format: date-time */
            createdAt: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    answerMcp: {
        parameters: {
            query: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description May be left out when the key is bound to a user. */
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    jsonrpc: "2.0";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The answer, as JSON or as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        jsonrpc: "2.0";
                    } & {
                        [key: string]: unknown;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description A notification was taken. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Why the request was refused, as an error of JSON-RPC. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        jsonrpc: "2.0";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    uploadSkills: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["SkillUpload"];
                "application/zip": Blob | Uint8Array;
            };
        };
        responses: {
            /** @description Nothing was new. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedSkills"];
                };
            };
            /** @description What was stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedSkills"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Agent"][];
                        /** @description Present when there is more. */
                        nextCursor?: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            /** @description The agent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAgent"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionReceipt"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentPatch"];
                "application/merge-patch+json": components["schemas"]["AgentPatch"];
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAgentLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentLinks"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putAgentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The agent's key or id. */
                target: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentLinkWrite"];
            };
        };
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentLink"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAgentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The agent's key or id. */
                target: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether there was one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentLinkDeleted"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContextFiles: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergedContextFiles"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUserContextFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The user, percent-encoded. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergedContextFiles"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContextFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description Such as SOUL.md; the letters count. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Names this state. Send it as If-Match to write over no other. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextFile"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putContextFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the file as it was read: what somebody changed since is not written over (412). `*`: only if there is one. */
                "if-match"?: string;
            };
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description Such as SOUL.md; the letters count. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContextFileWrite"];
            };
        };
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Names this state. Send it as If-Match to write over no other. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextFile"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteContextFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description Such as SOUL.md; the letters count. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether there was one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextFileDeleted"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContextFileVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description Such as SOUL.md; the letters count. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replaced texts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextFileVersions"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUserContextFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The user, percent-encoded. */
                userId: string;
                /** @description Such as SOUL.md; the letters count. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Names this state. Send it as If-Match to write over no other. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextFile"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putUserContextFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the file as it was read: what somebody changed since is not written over (412). `*`: only if there is one. */
                "if-match"?: string;
            };
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The user, percent-encoded. */
                userId: string;
                /** @description Such as SOUL.md; the letters count. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserContextFileWrite"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    /** @description Names this state. Send it as If-Match to write over no other. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextFileWritten"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteUserContextFile: {
        parameters: {
            query?: {
                /** @description Who spoke, when the user is a group. A key that is bound to a user speaks as that user alone. */
                senderId?: string;
                /** @description Their role on the channel; admins, operators and owners may change a group. */
                senderRole?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The user, percent-encoded. */
                userId: string;
                /** @description Such as SOUL.md; the letters count. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether there was one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextFileDeleted"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSummon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State, files and error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summon"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    summonAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NothingToSay"];
            };
        };
        responses: {
            /** @description It has begun. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summon"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resummonAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NothingToSay"];
            };
        };
        responses: {
            /** @description It has begun. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summon"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    regenerateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegenerateFiles"];
            };
        };
        responses: {
            /** @description It has begun. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summon"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelSummon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NothingToSay"];
            };
        };
        responses: {
            /** @description How it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summon"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followSummon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until it has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    buildContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContextRequest"];
            };
        };
        responses: {
            /** @description The prompt, and what it is made of. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewSystemPrompt: {
        parameters: {
            query?: {
                mode?: "full" | "task" | "minimal" | "none";
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
                /** @description The session's key, percent-encoded. */
                session?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prompt, and what it is made of. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key of the session, percent-encoded. Default: one session for each user, "chat/<user>". */
                "x-loam-session-id"?: string;
                /** @description Names the request: sent again, it is stored once and answered as before. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description The answer, or server-sent events of its chunks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    listSkills: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of skills. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSkill: {
        parameters: {
            query?: {
                /** @description Erases all versions, files and grants. Works on a deleted skill too, by its id. */
                erase?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDeleted"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkillPatch"];
                "application/merge-patch+json": components["schemas"]["SkillPatch"];
            };
        };
        responses: {
            /** @description The skill. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    switchSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkillSwitch"];
            };
        };
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillSwitched"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSkillVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillVersions"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSkillFiles: {
        parameters: {
            query?: {
                /** @description Default: the version that is served. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillFiles"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSkillFile: {
        parameters: {
            query?: {
                /** @description Default: the version that is served. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
                /** @description Its slashes need no encoding. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob | Uint8Array;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSkillDependencies: {
        parameters: {
            query?: {
                /** @description Default: the version that is served. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dependencies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDependencies"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadSkill: {
        parameters: {
            query?: {
                /** @description Default: the version that is served. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob | Uint8Array;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSkillAudit: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                slug?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillAuditPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSkillWarnings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The warnings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillWarnings"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSkillGrants: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillGrants"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grantSkillToAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkillAgentGrantWrite"];
            };
        };
        responses: {
            /** @description The grant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillAgentGrant"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeSkillFromAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether there was one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillGrantRevoked"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grantSkillToUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
                /** @description May be left out when the key is bound to a user. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkillUserGrantWrite"];
            };
        };
        responses: {
            /** @description The grant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillUserGrant"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeSkillFromUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
                /** @description May be left out when the key is bound to a user. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether there was one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillGrantRevoked"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAgentSkills: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skills. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSkills"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explainAgentSkills: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers by slug. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillAccesses"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explainSkill: {
        parameters: {
            query: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillAccess"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgentSkill: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The skill's slug or id. */
                skill: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill with its text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSkill"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgentSkillFile: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The skill's slug or id. */
                skill: string;
                /** @description Its slashes need no encoding. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob | Uint8Array;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchAgentSkills: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkillSearch"];
            };
        };
        responses: {
            /** @description The skills, best first. Call use_skill with the slug of the one that fits, then read it at its location. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillSearchResult"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolveSlashCommand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SlashRequest"];
            };
        };
        responses: {
            /** @description The command, and what it does to the turn. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlashCommand"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolList"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    callTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolCall"];
            };
        };
        responses: {
            /** @description What the model is to be told, also when the tool could not do it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolResult"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSystemConfigs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemConfigs"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSystemConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The setting. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemConfig"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putSystemConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SystemConfigWrite"];
            };
        };
        responses: {
            /** @description The setting. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemConfig"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSystemConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether there was one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemConfigDeleted"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
                /** @description Lists those of every user. Needs a key that is not bound to a user. */
                allUsers?: "true" | "false";
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Session"][];
                        /** @description Present when there is more. */
                        nextCursor?: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The session's key, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The session's key, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionWrite"];
            };
        };
        responses: {
            /** @description The session, changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The session, made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The session's key, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionReceipt"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The session's key, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Message"][];
                        /** @description Present when there is more. */
                        nextCursor?: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    storeMessages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The session's key, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageBatch"];
            };
        };
        responses: {
            /** @description What became of each message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredMessages"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The session's key, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunReport"];
            };
        };
        responses: {
            /** @description The run is stored. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedRun"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
                pathPrefix?: string;
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["DocumentSummary"][];
                        /** @description Present when there is more. */
                        nextCursor?: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description Such as MEMORY.md or memory/2026-11-30.md. Its slashes need no encoding. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description Such as MEMORY.md or memory/2026-11-30.md. Its slashes need no encoding. */
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentWrite"];
            };
        };
        responses: {
            /** @description The document, replaced. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenDocument"];
                };
            };
            /** @description The document, made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenDocument"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description Such as MEMORY.md or memory/2026-11-30.md. Its slashes need no encoding. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionReceipt"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description What was found, best first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEpisodes: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
                /** @description Lists those of every user. Needs a key that is not bound to a user. */
                allUsers?: "true" | "false";
                /** @description The session's key, percent-encoded. */
                session?: string;
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of episodes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Episode"][];
                        /** @description Present when there is more. */
                        nextCursor?: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUserMemory: {
        parameters: {
            query?: {
                /** @description Some of message, document, episode, file, separated by commas. */
                kinds?: string;
                /** @description Only what has this text in it, whatever the case. */
                containing?: string;
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The user, percent-encoded. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserMemoryPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    eraseUserMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The user, percent-encoded. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How much was erased. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserMemoryErased"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetUserMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The user, percent-encoded. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserMemoryForget"];
            };
        };
        responses: {
            /** @description How much was forgotten. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserMemoryForgotten"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    correctUserMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The user, percent-encoded. */
                userId: string;
                /** @description Its id, percent-encoded. */
                item: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserMemoryCorrection"];
            };
        };
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserMemoryItem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyUserMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's key or id. */
                agent: string;
                /** @description The user, percent-encoded. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What there is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserMemoryVerified"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["DeadLetter"][];
                        /** @description Present when there is more. */
                        nextCursor?: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayDeadLetters"];
            };
        };
        responses: {
            /** @description They are due again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replayed"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUserKeys: {
        parameters: {
            query?: {
                /** @description May be left out when the key is bound to a user. */
                userId?: string;
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["UserKey"][];
                        /** @description Present when there is more. */
                        nextCursor?: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createUserKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserKeyRequest"];
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewUserKey"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeUserKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the key. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is no longer accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserKey"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
