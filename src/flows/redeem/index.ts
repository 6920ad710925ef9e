export { flow } from './ports.ts';
export { RedeemView as Screens } from './RedeemView.tsx';
