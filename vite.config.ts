import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import react, { reactCompilerPreset } from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './tools/build/precompress.ts'

/**
 * What several screens share comes in one script with the entry: left alone, each small piece would be a file and a
 * request of its own. The readers' parts stay with the readers.
 */
const sharedParts = {
  name: 'shared',
  minShareCount: 2,
  test: (id: string): boolean =>
    /\/(?:src|machines)\/|node_modules\/(?:@xstate|valibot|@chakra-ui|@emotion|react|wouter|@lingui)\//.test(id) &&
    !/\/src\/(?:views\/viewer|ports\/media)\//.test(id),
}

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    // Lingui's preset stands after the compiler's: the other way round the compiler silently skips components with `t` templates.
    babel({
      presets: [
        reactCompilerPreset({ panicThreshold: command === 'build' ? 'all_errors' : 'none' }),
        linguiTransformerBabelPreset(),
      ],
    }),
    lingui(),
    precompress(),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: true,
    // Small images stay files: inlined ones would weigh on the first script.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: [sharedParts] } } },
  },
  // Without these the first page of a development run reloads when the optimiser finds them.
  optimizeDeps: { include: ['react', 'react-dom/client', 'react/jsx-dev-runtime'] },
}))
