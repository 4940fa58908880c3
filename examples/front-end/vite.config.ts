import { defineConfig } from 'vite';

// The page and the backend are one origin to the browser. dev.ts says where the backend is.
const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  server: { proxy: { '/api': backend, '/session': backend, '/news': backend } },
});
