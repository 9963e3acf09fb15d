# Writes the files FOLDER/*.platform to OUTPUT as rows {"name", "text"} of a C++ array.
file(GLOB files ${FOLDER}/*.platform)
set(rows "")
foreach(file ${files})
  get_filename_component(name ${file} NAME_WLE)
  file(READ ${file} text)
  string(APPEND rows "{\"${name}\", R\"platform(${text})platform\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${rows}")
