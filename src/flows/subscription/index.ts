export { flow } from './ports.ts';
export { SubscriptionView as Screens } from './SubscriptionView.tsx';
