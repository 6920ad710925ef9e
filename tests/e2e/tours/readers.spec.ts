import { book } from './stages/book.ts';
import { interactive } from './stages/interactive.ts';
import { progress } from './stages/progress.ts';
import { tracks } from './stages/tracks.ts';
import { viewer } from './stages/viewer.ts';
import { tourInBrowser } from './toured.ts';

for (const stage of [viewer, book, tracks, interactive, progress]) tourInBrowser(stage);
