import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'renderer',
  plugins: [react()],
  // Relative addresses: the control endpoint and a packaged app serve the same files.
  base: './',
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    sourcemap: true,
    // The page's Content-Security-Policy allows no inline code, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 8000,
  },
  worker: { format: 'es' },
})
