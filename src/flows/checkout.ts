import { msg } from '@lingui/core/macro';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/checkout.ts';
export { CheckoutView as Screens } from '../views/checkout/CheckoutView.tsx';

export const pageName: PageName<unknown> = () => msg`Your purchase`;
