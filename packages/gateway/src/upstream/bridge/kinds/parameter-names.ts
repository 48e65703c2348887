// Compact spellings under which clients declare the same parameter, most specific first.

const words = (list: string): string[] => list.split(" ");

export const FILE = words(
	"path filepath file filename absolutepath targetfile absfilepath fullpath relativepath targetpath target pathname " +
		"paths filepaths files outputpath destination",
);
export const DIRECTORY = words(
	"path dirpath directory dir directorypath folder folderpath dirname absolutepath targetdirectory relativeworkspacepath " +
		"root rootdir searchpath basepath cwd paths directories filepath file",
);
export const WORKING_DIRECTORY = words("cwd workdir workingdirectory workingdir directory dir dirpath path");
export const COMMAND = words("command cmd commandline shellcommand bashcommand script input commands cmds argv");
export const DESCRIPTION = words("description explanation reason justification purpose title summary goal");
export const TIMEOUT = words("timeout timeoutms timeoutmillis timeoutseconds timeoutsecs timeoutsec maxtime");
export const BACKGROUND = words(
	"runinbackground isbackground background inbackground async detach detached daemon mode",
);
export const CONTENT = words(
	"content contents filetext filecontent filecontents text body data newcontent newcontents code",
);
export const LINE_LIMIT = words("limit maxlines linelimit numlines linecount numberoflines lines count length");
export const FIRST_LINE = words("offset startline startlinenumber linestart start fromline from line lineoffset");
export const LAST_LINE = words("endline endlinenumber lineend end toline to");
export const LINE_RANGE = words("viewrange linerange range lines");
export const OLD_TEXT = words("oldtext oldstring oldstr before search find oldcode old original searchtext oldcontent");
export const NEW_TEXT = words(
	"newtext newstring newstr after replace replacement newcode new updated replacetext newcontent",
);
export const EDITS = words("edits replacements changes operations");
export const SEARCHED = words(
	"pattern regex regexp query queries search searchpattern searchterm searchtext term text expression needle q",
);
export const GLOB = words(
	"glob include includes filepattern includepattern fileglob globpattern includeglob filefilter",
);
export const FILE_PATTERN = words("pattern glob globpattern patterns query filepattern filename name search include");
export const IGNORED = words("ignore exclude excludes ignorepatterns excludepatterns ignoreglobs");
export const MAX_RESULTS = words("headlimit maxresults limit maxcount maxmatches resultlimit maxitems max");
export const URL_NAMES = words("url urls uri link href address website");
export const PROMPT = words("prompt instruction instructions question query objective goal");
