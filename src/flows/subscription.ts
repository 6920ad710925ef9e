import { msg } from '@lingui/core/macro';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/subscription.ts';
export { SubscriptionView as Screens } from '../views/subscription/SubscriptionView.tsx';

export const pageName: PageName<unknown> = () => msg`Subscriptions`;
