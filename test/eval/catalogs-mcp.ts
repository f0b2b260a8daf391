// Catalogs in the style of MCP servers: names with underscores, long descriptions, facts in the parameters, no stated effects.
import { catalog } from "./catalogs.ts"
import type { DemoCatalog } from "./catalogs.ts"

const files = catalog("filesystem", "Filesystem", [
  [
    "read_text_file",
    "",
    "Read the complete contents of a file from the file system as text. Handles various encodings. Use the 'head' or 'tail' parameter to read only the first or last lines.",
    "path; head: The first N lines; tail: The last N lines",
  ],
  ["read_media_file", "", "Read an image or audio file. Returns the base64 encoded data and MIME type.", "path"],
  [
    "read_multiple_files",
    "",
    "Read the contents of multiple files simultaneously. This is more efficient than reading files one by one.",
    "paths",
  ],
  [
    "write_file",
    "",
    "Create a new file or completely overwrite an existing file with new content. Use with caution as it will overwrite without warning.",
    "path; content",
  ],
  [
    "edit_file",
    "",
    "Make line-based edits to a text file. Each edit replaces exact line sequences with new content. Returns a git-style diff.",
    "path; edits: Text to search for and its replacement; dryRun: Preview changes",
  ],
  [
    "create_directory",
    "",
    "Create a new directory or ensure a directory exists. Can create multiple nested directories in one operation.",
    "path",
  ],
  [
    "list_directory",
    "",
    "Get a detailed listing of all files and directories in a specified path, with [FILE] and [DIR] prefixes.",
    "path",
  ],
  [
    "list_directory_with_sizes",
    "",
    "Get a detailed listing of all files and directories in a specified path, including sizes.",
    "path; sortBy: name or size",
  ],
  ["directory_tree", "", "Get a recursive tree view of files and directories as a JSON structure.", "path; excludePatterns"],
  ["move_file", "", "Move or rename files and directories. If the destination exists, the operation will fail.", "source; destination"],
  [
    "search_files",
    "",
    "Recursively search for files and directories matching a pattern. Case-insensitive, matches partial names.",
    "path; pattern; excludePatterns",
  ],
  [
    "get_file_info",
    "",
    "Retrieve detailed metadata about a file or directory: size, creation time, last modified time, permissions, type.",
    "path",
  ],
  ["list_allowed_directories", "", "Returns the list of directories that this server is allowed to access.", ""],
])

const git = catalog("git", "Git", [
  ["git_status", "", "Shows the working tree status", "repo_path"],
  ["git_diff_unstaged", "", "Shows changes in the working directory that are not yet staged", "repo_path; context_lines"],
  ["git_diff_staged", "", "Shows changes that are staged for commit", "repo_path; context_lines"],
  ["git_diff", "", "Shows differences between branches or commits", "repo_path; target; context_lines"],
  ["git_commit", "", "Records changes to the repository", "repo_path; message"],
  ["git_add", "", "Adds file contents to the staging area", "repo_path; files"],
  ["git_reset", "", "Unstages all staged changes", "repo_path"],
  ["git_log", "", "Shows the commit logs", "repo_path; max_count; start_timestamp; end_timestamp"],
  ["git_create_branch", "", "Creates a new branch from an optional base branch", "repo_path; branch_name; base_branch"],
  ["git_checkout", "", "Switches branches", "repo_path; branch_name"],
  ["git_show", "", "Shows the contents of a commit", "repo_path; revision"],
  ["git_branch", "", "List Git branches", "repo_path; branch_type; contains"],
])

const memory = catalog("memory", "Memory", [
  ["create_entities", "", "Create multiple new entities in the knowledge graph", "entities: name, entityType and observations of each"],
  [
    "create_relations",
    "",
    "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice",
    "relations: from, to, relationType",
  ],
  ["add_observations", "", "Add new observations to existing entities in the knowledge graph", "observations: entityName and contents"],
  ["delete_entities", "", "Delete multiple entities and their associated relations from the knowledge graph", "entityNames"],
  ["delete_observations", "", "Delete specific observations from entities in the knowledge graph", "deletions"],
  ["read_graph", "", "Read the entire knowledge graph", ""],
  [
    "search_nodes",
    "",
    "Search for nodes in the knowledge graph based on a query",
    "query: Matched against entity names, types, and observation content",
  ],
  ["open_nodes", "", "Open specific nodes in the knowledge graph by their names", "names"],
])

const browser = catalog("browser", "Headless Browser", [
  ["browser_navigate", "", "Navigate to a URL", "url"],
  ["browser_click", "", "Perform click on a web page", "element; ref; doubleClick; button"],
  ["browser_type", "", "Type text into editable element", "element; text; submit: Whether to press Enter after"],
  ["browser_fill_form", "", "Fill multiple form fields", "fields: name, type and value of each"],
  ["browser_take_screenshot", "", "Take a screenshot of the current page", "type; filename; fullPage"],
  ["browser_snapshot", "", "Capture accessibility snapshot of the current page, this is better than screenshot", ""],
  ["browser_console_messages", "", "Returns all console messages", "onlyErrors"],
  ["browser_network_requests", "", "Returns all network requests since loading the page", ""],
  ["browser_evaluate", "", "Evaluate JavaScript expression on page or element", "function"],
  ["browser_tabs", "", "List, create, close, or select a browser tab.", "action; index"],
  ["browser_wait_for", "", "Wait for text to appear or disappear or a specified time to pass", "time; text; textGone"],
  ["browser_pdf_save", "", "Save page as PDF", "filename"],
])

const web = catalog("web", "Web Search and Fetch", [
  ["web_search", "", "Performs a web search, ideal for general queries, news, articles, and online content.", "query; count; offset"],
  [
    "local_search",
    "",
    "Searches for local businesses and places. Returns names, addresses, ratings, phone numbers and opening hours.",
    "query: Local search query (e.g. 'pizza near Central Park'); count",
  ],
  ["fetch", "", "Fetches a URL from the internet and extracts its contents as markdown.", "url; max_length; start_index; raw"],
  ["fetch_youtube_transcript", "", "Get the transcript of a video with its subtitles", "videoUrl; lang: Language code"],
])

const time = catalog("time", "Time", [
  ["get_current_time", "", "Get current time in a specific timezone", "timezone: IANA timezone name (e.g. 'America/New_York')"],
  ["convert_time", "", "Convert time between timezones", "source_timezone; time: In 24-hour format (HH:MM); target_timezone"],
])

const maps = catalog("maps", "City Maps", [
  ["maps_geocode", "", "Convert an address into geographic coordinates", "address"],
  ["maps_reverse_geocode", "", "Convert coordinates into an address", "latitude; longitude"],
  ["maps_search_places", "", "Search for places using a text query", "query; location: Optional center point; radius: In meters"],
  [
    "maps_distance_matrix",
    "",
    "Calculate travel distance and time for multiple origins and destinations",
    "origins; destinations; mode: driving, walking, bicycling, transit",
  ],
  ["maps_directions", "", "Get directions between two points", "origin; destination; mode"],
  ["maps_elevation", "", "Get elevation data for locations on the earth", "locations"],
])

const weather = catalog("weather", "Weather", [
  ["get_forecast", "", "Get weather forecast for a location.", "latitude; longitude"],
  ["get_alerts", "", "Get weather alerts for a US state.", "state: Two-letter code (e.g. CA)"],
  ["air_quality", "", "Pollution of the air at a place, as an index and by pollutant: pm25, ozone, no2.", "city; pollutant"],
])

const sheets = catalog("excel", "Spreadsheets", [
  ["create_workbook", "", "Create new Excel workbook.", "filepath"],
  ["create_worksheet", "", "Create new worksheet in workbook.", "filepath; sheet_name"],
  [
    "read_data_from_excel",
    "",
    "Read data from worksheet with cell metadata including validation rules.",
    "filepath; sheet_name; start_cell; end_cell",
  ],
  ["write_data_to_excel", "", "Write data to worksheet.", "filepath; sheet_name; data; start_cell"],
  ["format_range", "", "Apply formatting to a range of cells.", "filepath; sheet_name; start_cell; bold; font_size; bg_color"],
  ["create_chart", "", "Create chart in worksheet.", "filepath; sheet_name; data_range; chart_type: line, bar, pie, scatter, area; title"],
  ["create_pivot_table", "", "Create pivot table in worksheet.", "filepath; sheet_name; rows; values; columns; agg_func"],
  ["merge_cells", "", "Merge a range of cells.", "filepath; sheet_name; start_cell; end_cell"],
])

const documents = catalog("word", "Word Documents", [
  ["create_document", "", "Create a new Word document with optional metadata.", "filename; title; author"],
  ["add_heading", "", "Add a heading to a Word document.", "filename; text; level"],
  ["add_paragraph", "", "Add a paragraph to a Word document.", "filename; text; style"],
  ["add_table", "", "Add a table to a Word document.", "filename; rows; cols; data"],
  ["get_document_text", "", "Extract all text from a Word document.", "filename"],
  ["convert_to_pdf", "", "Convert a Word document to PDF format.", "filename; output_filename"],
])

const database = catalog("sqlite", "SQLite", [
  ["read_query", "", "Execute a SELECT query on the SQLite database", "query: SELECT SQL query to execute"],
  ["write_query", "", "Execute an INSERT, UPDATE, or DELETE query on the SQLite database", "query: SQL query to execute"],
  ["create_table", "", "Create a new table in the SQLite database", "query: CREATE TABLE SQL statement"],
  ["list_tables", "", "List all tables in the SQLite database", ""],
  ["describe_table", "", "Get the schema information for a specific table", "table_name"],
  ["append_insight", "", "Add a business insight to the memo", "insight"],
])

const papers = catalog("papers", "Paper Search", [
  ["search_arxiv", "", "Search academic papers from arXiv.", "query; max_results; date_from"],
  ["download_arxiv", "", "Download PDF of an arXiv paper.", "paper_id; save_path"],
  ["read_arxiv_paper", "", "Read and extract text content from an arXiv paper PDF.", "paper_id; save_path"],
  ["search_pubmed", "", "Search academic papers from PubMed, about medicine and biology.", "query; max_results"],
])

const stocks = catalog("finance", "Market Data", [
  ["get_stock_price", "", "Last price of a share by its ticker.", "symbol: Ticker, e.g. AAPL"],
  ["get_historical_prices", "", "Open, high, low, close and volume over a period.", "symbol; period: 1d, 5d, 1mo, 1y, max; interval"],
  ["get_company_news", "", "Headlines about a listed company.", "symbol"],
  [
    "get_financial_statement",
    "",
    "Income statement, balance sheet or cash flow.",
    "symbol; financial_type: income_stmt, balance_sheet, cashflow",
  ],
  ["get_recommendations", "", "What analysts say: buy, hold or sell.", "symbol; months_back"],
])

const music = catalog("music", "Musikbibliothek", [
  ["search_tracks", "", "Sucht Titel in der Bibliothek", "query; artist"],
  ["create_playlist", "", "Legt eine neue Wiedergabeliste an", "name; tracks"],
  ["play", "", "Spielt einen Titel ab", "track_id; volume"],
])

export const mcpCatalogs: readonly DemoCatalog[] = [
  files,
  git,
  memory,
  browser,
  web,
  time,
  maps,
  weather,
  sheets,
  documents,
  database,
  papers,
  stocks,
  music,
]
