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
      const [startOfPage, restOfPage, more] = page.split(script);
      if (startOfPage === undefined || restOfPage === undefined || more !== undefined)
        throw new Error(`index.html has ${page.split(script).length - 1} of ${script}: expected exactly one`);
      const builtPage = replaceRegion(startOfPage + restOfPage, 'program', script);
      readTemplate(builtPage);
      return builtPage;
    },
  },
});
