import type { Plugin } from 'vite';
import { readTemplate, replaceRegion } from '../../machines/model/store/page-template.ts';

/**
 * Moves the app's script, which Vite puts at the end of the `<head>`, into its placeholder in the
 * built `index.html`. Fails if the page lacks a placeholder that the server fills.
 */
export const pageRegions = (): Plugin => ({
  name: 'colophon-page-regions',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (page, { chunk }) => {
      const script = `<script type="module" crossorigin src="/${chunk?.fileName}"></script>`;
      const [before, after, more] = page.split(script);
      if (before === undefined || after === undefined || more !== undefined)
        throw new Error(`index.html has ${page.split(script).length - 1} of ${script}: expected exactly one`);
      const built = replaceRegion(before + after, 'program', script);
      readTemplate(built);
      return built;
    },
  },
});
