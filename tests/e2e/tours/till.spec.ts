import { checkout } from './stages/checkout.ts';
import { payment } from './stages/payment.ts';
import { tourInBrowser } from './toured.ts';

for (const stage of [checkout, payment]) tourInBrowser(stage);
