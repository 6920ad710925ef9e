import { catalogue } from './stages/catalogue.ts';
import { landing } from './stages/landing.ts';
import { library, receipt } from './stages/owned.ts';
import { sharing } from './stages/sharing.ts';
import { signIn, signUp } from './stages/sign-in.ts';
import { information, notFound } from './stages/still.ts';
import { title } from './stages/title.ts';
import { tourInBrowser } from './toured.ts';

for (const stage of [landing, catalogue, title, sharing, signIn, signUp, receipt, library, information, notFound])
  tourInBrowser(stage);
