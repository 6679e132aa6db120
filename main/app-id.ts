/** Who the app is to the system: Windows shows notices and groups windows only for the name the installer wrote down. */
export const APP_ID = 'es.sello.desktop'
