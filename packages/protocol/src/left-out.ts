// Written by scripts/write-left-out.ts: npm run generate

/** Known fields of our messages that proto/ leaves out because nothing here needs them. The census does not count them. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
	"agent.v1.ToolCall":
		"22 29 30 32 33 35 36 38 39 40 43 45 46 48 49 50 51 52 53 55 56 58 68 69 70 71 72 73 74 75 76 77 78 79 80",
	"aiserver.v1.AvailableModelsResponse": "4 5 6 7 8 9 10 11 12 13 15 16 19 20 21",
	"aiserver.v1.AvailableModelsResponse.AvailableModel": "20",
	"aiserver.v1.BootstrapStatsigRequest": "2",
	"aiserver.v1.ClientSideToolV2Call": "32 63 66 68 69 70 71 72 73",
	"aiserver.v1.ClientSideToolV2Result": "33 63 66 67 69 70 71 72 73 74 75",
	"aiserver.v1.ConversationMessage":
		"4 5 6 7 8 9 12 14 15 16 17 19 20 21 22 23 24 25 26 27 28 30 33 34 35 36 37 38 39 40 41 42 44 48 49 52 53 54 55 56 58 59 60 61 63 64 66 67 68 69 70 72 73 75 77 80 81 83 84 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100",
	"aiserver.v1.CurrentFileInfo": "3 4 6 7 10 16",
	"aiserver.v1.ExplicitContext": "5",
	"aiserver.v1.GetEffectiveUserPluginsResponse": "1 2",
	"aiserver.v1.GetManagedSkillsResponse": "1",
	"aiserver.v1.GetServerConfigResponse":
		"1 3 4 5 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 28 30 31 32 33 34 35 36 37 38",
	"aiserver.v1.GetTeamAdminSettingsResponse":
		"3 4 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77",
	"aiserver.v1.RepositoryInfo": "10 12",
	"aiserver.v1.ResolvePluginsByRefRequest": "1",
	"aiserver.v1.ResolvePluginsByRefResponse": "1",
	"aiserver.v1.StreamUnifiedChatRequest":
		"4 6 10 11 12 14 16 17 18 19 20 25 38 39 40 41 42 43 44 52 58 59 60 61 62 63 64 66 67 69 70 71 73 74 75 76 77 78 79 83 85 86 87 88 89 90 91 92 93",
	"aiserver.v1.StreamUnifiedChatResponse": "17 19 21 23 24 26 29 34",
	"aiserver.v1.StreamedBackToolCall": "34 66 68 69 70 71",
	"aiserver.v1.StreamedBackToolCallV2": "32 71 74 76 77 78 79 80 81",
};
