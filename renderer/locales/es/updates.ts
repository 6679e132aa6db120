/** Texts of the updates of the desktop app. */
export const updates = {
  updates: {
    title: 'Actualizaciones',
    running: 'Usas Sello {version}.',
    idle: 'Busca si hay una versión nueva cuando quieras.',
    checking: 'Buscando una versión nueva…',
    current: 'Tienes la última versión. Comprobado {ago}.',
    available: 'Hay una versión nueva: {version}. Se descarga cuando tú digas.',
    downloading: 'Descargando {version}: {percent} %. Puedes seguir trabajando.',
    ready: 'La versión {version} está lista. Sello se cierra, la instala y vuelve a abrirse.',
    waiting:
      'Espera un momento: Sello se reinicia en cuanto acabe lo que está emitiendo, guardando o enviando.',
    progress: 'Descarga de la versión nueva',
    check: 'Buscar ahora',
    download: 'Descargar',
    restart: 'Reiniciar e instalar',
    later: 'Ahora no',
    byItself: 'Avisarme de las versiones nuevas',
    byItselfHelp:
      'Sello pregunta una vez al día si hay alguna. No envía datos tuyos, y nada se descarga ni se instala sin tu permiso.',
    found: 'Hay una versión nueva de Sello: {version}',
    foundText: 'Descárgala cuando te venga bien.',
    see: 'Ver',
    fault: {
      network: 'No se pudo preguntar por versiones nuevas. Comprueba la conexión y busca otra vez.',
      signature:
        'La descarga no lleva la firma de quien hace Sello, así que no se ha instalado. Sigues con tu versión; si se repite, pide ayuda.',
      unsupported:
        'Esta instalación no puede actualizarse sola. Instala la versión nueva como instalaste esta.',
      other: 'La actualización no se completó. Sigues con tu versión; busca otra vez más tarde.',
    },
  },
}
