import { svelte } from '@sveltejs/vite-plugin-svelte';
import Icons from 'unplugin-icons/vite';
import { defineConfig, loadEnv } from 'vite';

export default defineConfig(({ mode }) => {
  // The server speaks on this port while `npm run dev` serves the page.
  const { LEGATUS_PORT = '8000' } = loadEnv(mode, '.', 'LEGATUS_');
  const server = `http://127.0.0.1:${LEGATUS_PORT}`;
  return {
    plugins: [svelte(), Icons({ compiler: 'svelte' })],
    build: {
      outDir: '../src/legatus/server/page',
      emptyOutDir: true,
      assetsInlineLimit: 0, // the content security policy allows files of ours only
      modulePreload: { polyfill: false },
      rolldownOptions: { checks: { pluginTimings: false } },
    },
    server: { proxy: { '/api': { target: server, ws: true } } },
  };
});
