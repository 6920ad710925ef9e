import { stages } from './stages.ts';
import { tourInBrowser } from './toured.ts';

for (const stage of stages) tourInBrowser(stage);
