import { account, page, placeholder, subscription } from './stages/pages.ts';
import { tourInBrowser } from './toured.ts';

for (const stage of [page, placeholder, subscription, account]) tourInBrowser(stage);
