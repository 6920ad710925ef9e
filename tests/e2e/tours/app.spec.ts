import { app } from './stages/app.ts';
import { boot, language } from './stages/boot.ts';
import { finder, frame } from './stages/frame.ts';
import { location } from './stages/location.ts';
import { session } from './stages/session.ts';
import { tourInBrowser } from './toured.ts';

for (const stage of [app, boot, finder, frame, language, location, session]) tourInBrowser(stage);
