export { flow } from './ports.ts';
export { SubscribingView as Screens } from './SubscribingView.tsx';
