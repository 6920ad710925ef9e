import { boot, language } from './stages/boot.ts';
import { tourInBrowser } from './toured.ts';

for (const stage of [boot, language]) tourInBrowser(stage);
