// Starts the backend, and Vite in front of it, on free ports. Run it with `sitepub exec -- npm run dev`.
import { createServer } from 'vite';
import { startBackend } from './backend/backend.ts';

const { SITEPUB_BASE_URL: baseUrl = 'http://127.0.0.1:4010/api/v1', SITEPUB_API_KEY: apiKey = '' } =
  process.env;
const backend = await startBackend({ baseUrl, apiKey });
process.env.BACKEND_URL = backend.url;
const vite = await createServer();
await vite.listen();
vite.printUrls();
