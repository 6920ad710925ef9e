import { account, page, signpost, subscription } from './stages/pages.ts';
import { tourInBrowser } from './toured.ts';

for (const stage of [page, signpost, subscription, account]) tourInBrowser(stage);
